import type { Call, JsonObject, Stamp } from "#core";
import type { AnyTool, Need, Probe, Tool, ToolContext, ToolEnv, ToolSpec } from "./ports.ts";
import type { CallId, Json, ToolEnd } from "#core";

/** A call whose arguments have been read: everything that can be asked of it, with the types closed inside. */
export interface Prepared {
  readonly stamp: Stamp;
  need(): Need;
  plan(attempt: number): Promise<Json>;
  run(context: Omit<ToolContext<Json>, keyof ToolEnv>): Promise<ToolEnd>;
}

export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  /** Reads the arguments; `stamp` is `{invalid}` for an unknown tool or wrong arguments. */
  prepare(call: {
    readonly call: CallId;
    readonly tool: string;
    readonly input: JsonObject;
  }): Prepared;
  probe(call: Call, intent: Json): Promise<Probe>;
}

/** Tools by name; what they are asked goes through here, so that a throw of theirs is always data. */
export function toolbox(tools: readonly AnyTool[], env: ToolEnv): Toolbox {
  // A tool's own types are closed inside it: each is only ever given what its own `parse` and `plan` made.
  const byName = new Map(tools.map((tool) => [tool.name, tool as unknown as Tool<unknown>]));
  const names = tools.map((tool) => tool.name).join(", ");
  return {
    specs: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    prepare(call) {
      const tool = byName.get(call.tool);
      return tool === undefined
        ? unusable(`There is no tool named ${call.tool}. The tools are: ${names}.`)
        : prepare(tool, call, env);
    },
    async probe(call, intent) {
      const tool = byName.get(call.tool);
      if (tool?.probe === undefined)
        return unknowable(`the tool ${call.tool} cannot be asked any more`);
      try {
        return await tool.probe(intent, { ...env, call: call.id });
      } catch (error) {
        return unknowable(`looking for traces failed: ${messageOf(error)}`);
      }
    },
  };
}

const unknowable = (evidence: string): Probe => ({ verdict: "undetermined", evidence, end: null });

function prepare(
  tool: Tool<unknown>,
  call: { readonly call: CallId; readonly input: JsonObject },
  env: ToolEnv,
): Prepared {
  const parsed = attempt(() => tool.parse(call.input));
  if ("failed" in parsed)
    return unusable(`The arguments of ${tool.name} cannot be read: ${parsed.failed}`);
  const input = parsed.value;
  if (typeof input === "string") return unusable(input);
  const need = (): Need => tool.need(input, env);
  const stamped = attempt((): Stamp => {
    const { access, resources } = need();
    return { access, resources, recovery: tool.recovery, timeoutMs: tool.timeoutMs(input) };
  });
  if ("failed" in stamped) return unusable(stamped.failed);
  return {
    stamp: stamped.value,
    need,
    plan: async (attemptNumber) =>
      tool.plan === undefined
        ? null
        : tool.plan(input, { ...env, call: call.call, attempt: attemptNumber }),
    run: (context) => tool.run(input, { ...env, ...context }),
  };
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly failed: string } {
  try {
    return { value: work() };
  } catch (error) {
    return { failed: messageOf(error) };
  }
}

/** What is wrong with arguments may name each of them, and there may be thousands. */
const longestReason = 4000;

/** Arguments that cannot be used: whatever is asked of the call says why. */
export function unusable(reason: string): Prepared {
  const invalid =
    reason.length > longestReason ? `${reason.slice(0, longestReason).toWellFormed()}…` : reason;
  const refuse = (): never => {
    throw new Error(invalid);
  };
  return { stamp: { invalid }, need: refuse, plan: refuse, run: refuse };
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
