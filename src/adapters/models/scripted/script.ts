import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PawlError, type JsonObject, type Usage } from "#core";
import { parseFaults, type Fault } from "./fault.ts";
import { fieldsOf, ScriptProblem } from "./script-fields.ts";

export interface ScriptedCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Arguments as the model writes them, when they are not to be the JSON of `input`. */
  readonly inputText?: string;
}

/** One reply of the scripted model. */
export interface ScriptedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The label on the wire; null sends none. Default: `tool_use` when there are calls, else `end_turn`. */
  readonly stop?: string | null;
  /** Default: 100 tokens in, a quarter of the characters out. */
  readonly usage?: Partial<Usage>;
  /** Calls as text behind `text`, of a model that knows no tools: made from `calls`, never read from a file. */
  readonly callTexts?: readonly string[];
  /** Bytes of a whole stream, instead of all of the above. */
  readonly sse?: string | Uint8Array;
  /** What goes wrong on the way, one thing or several. */
  readonly fault?: Fault | readonly Fault[];
}

export interface Script {
  readonly turns: readonly ScriptedTurn[];
  /** USD for a million tokens, to try out budgets. Default: it costs nothing. */
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  /** Tokens, to try out compaction. Default: no limit is known. */
  readonly window?: number;
  /** `text`: the model knows no tools and writes its calls as text. Default: `native`. */
  readonly tools?: "native" | "text";
}

/** The file of `scripted/FILE`; null for other models. A relative file is looked for in `cwd`. */
export function scriptPath(ref: string, cwd: string): string | null {
  return ref.startsWith(prefix) ? resolve(cwd, ref.slice(prefix.length)) : null;
}

const prefix = "scripted/";

/** @throws PawlError `script_unreadable`, `script_invalid` */
export function readScript(path: string): Script {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new PawlError(
      "script_unreadable",
      `The script ${path} cannot be read. Give a file that exists: scripted/FILE, relative to the working directory.`,
      { cause, values: { path } },
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new PawlError("script_invalid", `The script ${path} is not valid JSON.`, {
      cause,
      values: { path, what: "JSON" },
    });
  }
  return parseScript(json, path);
}

/**
 * Reads a script: `{ "turns": [ … ] }` or the list itself.
 * @param name how to call it in messages
 * @throws PawlError `script_invalid`, which names the place
 */
export function parseScript(json: unknown, name: string): Script {
  try {
    const fields = fieldsOf(Array.isArray(json) ? { turns: json } : json, "").only(topKeys);
    const price = fields.object("price");
    return {
      turns: (fields.list("turns") ?? []).map((turn, index) => parseTurn(turn, `turns[${index}]`)),
      ...defined("price", price === undefined ? undefined : parsePrice(price)),
      ...defined("window", fields.count("window")),
      ...defined("tools", parseTools(fields.string("tools"))),
    };
  } catch (cause) {
    if (!(cause instanceof ScriptProblem)) throw cause;
    throw new PawlError(
      "script_invalid",
      `The script ${name} cannot be used: ${cause.message}. Its form is in docs/scripted-model.md.`,
      { values: { path: name, what: cause.message } },
    );
  }
}

const topKeys = ["about", "turns", "price", "window", "tools"];
const turnKeys = ["about", "thinking", "text", "calls", "stop", "usage", "sse", "fault"];

function parseTools(value: string | undefined): Script["tools"] {
  if (value === undefined || value === "native" || value === "text") return value;
  throw new ScriptProblem('tools is neither "native" nor "text"');
}

function parseTurn(json: unknown, at: string): ScriptedTurn {
  const fields = fieldsOf(json, at).only(turnKeys);
  const calls = fields
    .list("calls")
    ?.map((call, index) => parseCall(call, `${at}.calls[${index}]`));
  const usage = fields.object("usage");
  const stop = fields.has("stop") ? fields.stringOrNull("stop") : undefined;
  return {
    ...defined("thinking", fields.string("thinking")),
    ...defined("text", fields.string("text")),
    ...defined("calls", calls),
    ...defined("stop", stop),
    ...defined("usage", usage === undefined ? undefined : parseUsage(usage, `${at}.usage`)),
    ...defined("sse", parseBytes(fields.value("sse"), `${at}.sse`)),
    fault: parseFaults(fields.value("fault"), `${at}.fault`),
  };
}

function parseBytes(value: unknown, at: string): string | Uint8Array | undefined {
  if (value === undefined || typeof value === "string" || value instanceof Uint8Array) return value;
  throw new ScriptProblem(`${at} is neither a string nor bytes`);
}

function parseCall(json: unknown, at: string): ScriptedCall {
  const fields = fieldsOf(json, at).only(["tool", "input", "inputText"]);
  const tool = fields.string("tool");
  if (tool === undefined) throw new ScriptProblem(`${at}.tool is missing`);
  return {
    tool,
    input: fields.object("input") ?? {},
    ...defined("inputText", fields.string("inputText")),
  };
}

function parsePrice(json: JsonObject): NonNullable<Script["price"]> {
  const fields = fieldsOf(json, "price").only(["input", "output", "cacheRead", "cacheWrite"]);
  return {
    input: fields.count("input") ?? 0,
    output: fields.count("output") ?? 0,
    ...defined("cacheRead", fields.count("cacheRead")),
    ...defined("cacheWrite", fields.count("cacheWrite")),
  };
}

function parseUsage(json: JsonObject, at: string): Partial<Usage> {
  const fields = fieldsOf(json, at).only(["input", "output", "cacheRead", "cacheWrite"]);
  return {
    ...defined("input", fields.count("input")),
    ...defined("output", fields.count("output")),
    ...defined("cacheRead", fields.count("cacheRead")),
    ...defined("cacheWrite", fields.count("cacheWrite")),
  };
}

function defined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value }); // one key, its value
}
