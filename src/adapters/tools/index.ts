import type { AnyTool, CrashPoint } from "#runtime";
import { bashTool } from "./bash/index.ts";
import { editTool } from "./edit/index.ts";
import { fetchTool } from "./fetch/index.ts";
import { globTool } from "./glob/index.ts";
import { grepTool } from "./grep/index.ts";
import { listTool } from "./list/index.ts";
import { readTool } from "./read/index.ts";
import { timeTool } from "./time/index.ts";
import { writeTool } from "./write/index.ts";

export { defineTool, type ToolDefinition } from "./define-tool.ts";
export { done, failed } from "./shared/ends.ts";
export { judgedPath, resourceOf } from "./shared/judged.ts";
export {
  choiceField,
  flagField,
  integerField,
  listField,
  optional,
  pathField,
  reservedField,
  textField,
  type Field,
  type Fields,
  type InputOf,
  type Rejected,
} from "./fields.ts";

export interface BuiltInOptions {
  /** Named places where a test may kill the process: `write.before_rename`, `edit.after_temp`, `bash.output`, … */
  readonly crash?: CrashPoint;
  /** ripgrep programs to try; without any that runs, the built-in search is used. Default: packaged, then `rg`. */
  readonly ripgrep?: readonly string[];
  /** Hosts that `fetch` may reach although they are on this machine or its network: `localhost:3000`. */
  readonly privateHosts?: readonly string[];
  /** Variables that commands of `bash` get although their names look like secrets or steer the shell. */
  readonly keepVariables?: readonly string[];
}

/** The tools every session has, in the order the model sees them. */
export function builtInTools(options: BuiltInOptions = {}): readonly AnyTool[] {
  const { crash, ripgrep = null, keepVariables = [], privateHosts = [] } = options;
  return [
    readTool(),
    writeTool(crash),
    editTool(crash),
    globTool(ripgrep),
    grepTool(ripgrep),
    listTool(),
    bashTool({ keepVariables, crash }),
    fetchTool({ privateHosts }),
    timeTool(),
  ];
}
