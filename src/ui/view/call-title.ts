import type { CallId, JsonObject, State } from "#core";
import { openCalls } from "#core";
import { cutLine, neutralise } from "../terminal/neutralise.ts";

/** What identifies a call best, by the parameters that tools share (contract, section 5). */
const telling: readonly string[] = [
  "command",
  "path",
  "file_path",
  "pattern",
  "url",
  "query",
  "task",
];

/** `bash npm test`: a call in one short line, safe for a terminal. */
export function callTitle(tool: string, input: JsonObject, length = 80): string {
  const detail = telling.map((name) => input[name]).find((value) => typeof value === "string");
  return cutLine(detail === undefined ? tool : `${tool} ${detail}`, length);
}

/** The complete arguments of a call, escaped, nothing cut: what a person judges. */
export function callInFull(tool: string, input: JsonObject): string {
  const lines = Object.entries(input).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.includes("\n") ? `${name}:\n${indent(text)}` : `${name}: ${text}`;
  });
  return neutralise([tool, ...lines.map((line) => indent(line))].join("\n"));
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");

/** Remembers the title of each call, because later facts name only its id. */
export class CallTitles {
  readonly #titles = new Map<CallId, string>();

  add(call: CallId, tool: string, input: JsonObject): void {
    this.#titles.set(call, callTitle(tool, input));
  }

  addOpen(state: State): void {
    for (const call of openCalls(state)) this.add(call.id, call.tool, call.input);
  }

  of(call: CallId): string {
    return this.#titles.get(call) ?? call;
  }
}
