import type { AnyTool, CrashPoint } from "#runtime";
import { editTool } from "./edit/index.ts";
import { globTool } from "./glob/index.ts";
import { grepTool } from "./grep/index.ts";
import { listTool } from "./list/index.ts";
import { readTool } from "./read/index.ts";
import { timeTool } from "./time/index.ts";
import { writeTool } from "./write/index.ts";

export { defineTool, type ToolDefinition } from "./define-tool.ts";
export {
  choiceField,
  flagField,
  integerField,
  listField,
  optional,
  pathField,
  textField,
  type Field,
  type Fields,
  type InputOf,
  type Rejected,
} from "./fields.ts";

export interface BuiltInOptions {
  /** Named places where a test may kill the process: `write.before_rename`, `edit.after_temp`, … */
  readonly crash?: CrashPoint;
  /** ripgrep programs to try; without any that runs, the built-in search is used. Default: packaged, then `rg`. */
  readonly ripgrep?: readonly string[];
}

/** The tools every session has, in the order the model sees them. */
export function builtInTools(options: BuiltInOptions = {}): readonly AnyTool[] {
  const { crash, ripgrep = null } = options;
  return [
    readTool(),
    writeTool(crash),
    editTool(crash),
    globTool(ripgrep),
    grepTool(ripgrep),
    listTool(),
    timeTool(),
  ];
}
