import type { JsonObject } from "#core";
import { isJsonObject, parseJson } from "./json-read.ts";

export type CallArguments =
  | { readonly value: JsonObject; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** The arguments a model wrote. No text at all is `{}`; nothing that is wrong is repaired. */
export function callArguments(text: string): CallArguments {
  if (text.trim() === "") return { value: {}, problem: null };
  const { value, problem } = parseJson(text);
  if (problem !== null) return { value: null, problem };
  return isJsonObject(value) ? { value, problem } : { value: null, problem: "not an object" };
}
