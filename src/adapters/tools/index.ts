import type { AnyTool, CrashPoint } from "#runtime";
import { editTool } from "./edit/index.ts";
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
}

/** The tools every session has, in the order the model sees them. */
export function builtInTools({ crash }: BuiltInOptions = {}): readonly AnyTool[] {
  return [readTool(), writeTool(crash), editTool(crash), timeTool()];
}
