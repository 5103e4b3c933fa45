import type { JsonObject } from "#core";
import { objectOf } from "../shared/json-read.ts";
import { geminiRequestProblems } from "./gemini-check.ts";
import { geminiErrorFrame, geminiFrames } from "./gemini-frames.ts";
import type { ScriptedWire } from "./wire.ts";

/** The Gemini API. */
export const geminiWire: ScriptedWire = {
  paths: /^\/v1(?:alpha|beta)?\d*\/[^?]+:streamGenerateContent$/,
  framesOf: geminiFrames,
  errorFrame: (type, message) => geminiErrorFrame(statuses[type] ?? type, message),
  errorBody(status, message) {
    const name = names[status] ?? "UNKNOWN";
    return JSON.stringify({ error: { code: status, message, status: name } });
  },
  requestProblems: (body) => geminiRequestProblems(body),
  repliesIn,
};

/** Words of scripts that are not this wire's. */
const statuses: Readonly<Record<string, string>> = {
  overloaded_error: "UNAVAILABLE",
  rate_limit_error: "RESOURCE_EXHAUSTED",
};

/** Source: `google.rpc.Code`. */
const names: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function repliesIn({ contents }: JsonObject): number {
  if (!Array.isArray(contents)) return 0;
  return contents.filter((content) => objectOf(content)?.["role"] === "model").length;
}
