import type { JsonObject } from "#core";
import type { Heard } from "../shared/ask-json.ts";
import { isJsonObject, stringOf } from "../shared/json-read.ts";

/** The objects of a list that an answer holds in a field; null when it holds no list. */
export function listIn(heard: Heard, field: "data" | "models"): readonly JsonObject[] | null {
  const list = valueIn(heard)?.[field];
  return Array.isArray(list) ? list.filter(isJsonObject).slice(0, mostModels) : null;
}

/** The object of a good answer. */
export function valueIn(heard: Heard): JsonObject | null {
  if (heard.type !== "json" || heard.status >= 300) return null;
  return isJsonObject(heard.value) ? heard.value : null;
}

/** More are no help to anybody. */
const mostModels = 500;

/** A name that can be shown, chosen and sent; null for anything else a server may call a model. */
export function nameIn(model: JsonObject, field: string): string | null {
  const name = stringOf(model[field]);
  const isUsable = name !== null && /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u.test(name);
  return isUsable && name.trim() === name ? name : null;
}

/** Whole tokens; null when it is no number of them. */
export function tokensIn(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Servers that do not say what a model is for: those that only embed or rank say it in their names. */
export const writesText = (name: string): boolean =>
  !/embed|rerank|(^|[-_/.])(bge|gte|e5|minilm)([-_/.]|$)|whisper|(^|[-_/])tts([-_/]|$)/i.test(name);
