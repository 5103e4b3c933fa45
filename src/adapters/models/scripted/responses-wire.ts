import type { JsonObject } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { responsesRequestProblems } from "./responses-check.ts";
import { responsesErrorFrame, responsesFrames } from "./responses-frames.ts";
import type { ScriptedWire } from "./wire.ts";

/** The OpenAI Responses API. */
export const responsesWire: ScriptedWire = {
  paths: /^(?:\/v1)?\/responses$/,
  framesOf: responsesFrames,
  errorFrame: responsesErrorFrame,
  errorBody(status, message) {
    const { type, code } = errors[status] ?? { type: "server_error", code: null };
    return JSON.stringify({ error: { message, type, param: null, code } });
  },
  requestProblems: responsesRequestProblems,
  repliesIn,
};

/** Source: "Error codes", OpenAI API documentation. */
const errors: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  400: { type: "invalid_request_error", code: null },
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  404: { type: "invalid_request_error", code: "model_not_found" },
  429: { type: "requests", code: "rate_limit_exceeded" },
  500: { type: "server_error", code: "server_error" },
  503: { type: "server_error", code: "server_is_overloaded" },
};

/** Items a model wrote that stand together are one reply. */
function repliesIn({ input }: JsonObject): number {
  if (!Array.isArray(input)) return 0;
  const isWritten = input.map((json) => {
    const item = objectOf(json) ?? {};
    const type = stringOf(item["type"]) ?? "";
    return type === "message" ? item["role"] === "assistant" : !type.endsWith("_output");
  });
  return isWritten.filter((written, index) => written && isWritten[index - 1] !== true).length;
}
