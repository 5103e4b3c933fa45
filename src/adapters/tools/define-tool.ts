import type { Json, JsonObject, Recovery } from "#core";
import type { AnyTool, Tool } from "#runtime";
import { objectSchema, readFields, type Fields, type InputOf } from "./fields.ts";

/** Milliseconds a tool may take, unless it says otherwise. Source: requirement R110. */
const defaultTimeoutMs = 120_000;

export interface ToolDefinition<F extends Fields, Intent extends Json> extends Pick<
  Tool<InputOf<F>, Intent>,
  "need" | "plan" | "run" | "probe"
> {
  /** As the model calls it: snake_case. */
  readonly name: string;
  /** What it does, when to use it and when not, inputs, outputs, side effects, relation to other tools. */
  readonly description: string;
  readonly fields: F;
  /** What the fields alone cannot say; a string says what is wrong and what is right. */
  readonly check?: (input: InputOf<F>) => string | null;
  readonly recovery: Recovery;
  /** 120 s when absent. */
  readonly timeoutMs?: (input: InputOf<F>) => number;
}

/** Makes a tool of its definition: the fields give both the schema the model sees and the reader of its arguments. */
export function defineTool<F extends Fields, Intent extends Json = null>(
  definition: ToolDefinition<F, Intent>,
): AnyTool {
  const { fields, check, timeoutMs, ...rest } = definition;
  const tool: Tool<InputOf<F>, Intent> = {
    ...rest,
    inputSchema: objectSchema(fields),
    parse(input: JsonObject) {
      const read = readFields(fields, input);
      const problem = typeof read === "string" ? read : (check?.(read) ?? null);
      if (typeof read === "string" || problem !== null) {
        return `Wrong arguments for ${definition.name}: ${problem ?? ""}. Nothing was done.`;
      }
      return read;
    },
    timeoutMs: timeoutMs ?? (() => defaultTimeoutMs),
  };
  // Only values that came out of this tool's own `parse` and `plan` are ever handed back to it, so the registry
  // may forget their types.
  return tool as unknown as AnyTool;
}
