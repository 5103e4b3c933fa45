import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";

/** What the delta of one chunk says, thinking first: what is shown of one chunk stands in this order (field case P17). */
export interface Said {
  readonly thinking: string;
  /** The field the thinking came in. */
  readonly thinkingField: string | null;
  readonly text: string;
  readonly isRefusal: boolean;
  /** Entries of `tool_calls`. */
  readonly calls: readonly Json[];
  /** Items of `reasoning_details` (OpenRouter). */
  readonly details: readonly JsonObject[];
}

/** Servers send the same thinking in several fields: the first that holds any counts, the others do not add to it. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"];

export function saidIn(delta: JsonObject): Said {
  const parts = contentParts(delta["content"]);
  const [field, thinking] = thinkingFields
    .map((name) => [name, stringOf(delta[name]) ?? ""] as const)
    .find(([, text]) => text !== "") ?? [null, ""];
  const details = objectsIn(delta["reasoning_details"]);
  const refusal = stringOf(delta["refusal"]) ?? "";
  return {
    thinking: thinking || parts.thinking || thinkingOf(details),
    thinkingField: field,
    text: parts.text + refusal,
    isRefusal: refusal !== "",
    calls: callsIn(delta),
    details,
  };
}

function callsIn(delta: JsonObject): readonly Json[] {
  const calls = delta["tool_calls"];
  if (Array.isArray(calls)) return calls;
  const call = objectOf(delta["function_call"]);
  return call === null ? [] : [{ function: call }];
}

/** Content is a text, or a list of parts of which some are thinking (Mistral). */
function contentParts(content: Json | undefined): { text: string; thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  let text = "";
  let thinking = "";
  for (const part of objectsIn(content)) {
    if (part["type"] === "thinking") thinking += innerText(part["thinking"]);
    else text += stringOf(part["text"]) ?? "";
  }
  return { text, thinking };
}

const innerText = (value: Json | undefined): string =>
  typeof value === "string"
    ? value
    : objectsIn(value)
        .map((part) => stringOf(part["text"]) ?? "")
        .join("");

const thinkingOf = (details: readonly JsonObject[]): string =>
  details.map((item) => stringOf(item["text"]) ?? stringOf(item["summary"]) ?? "").join("");

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
