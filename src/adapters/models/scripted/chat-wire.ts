import { chatRequestProblems } from "./chat-check.ts";
import { chatErrorFrame, chatFrames } from "./chat-frames.ts";
import { repliesIn, type ScriptedWire } from "./wire.ts";

/** The Chat Completions API. */
export const chatWire: ScriptedWire = {
  paths: /^(\/v1)?\/chat\/completions$/,
  framesOf: chatFrames,
  errorFrame: chatErrorFrame,
  errorBody(status, message) {
    const { type, code } = errorTypes[status] ?? { type: "server_error", code: null };
    return JSON.stringify({ error: { message, type, param: null, code } });
  },
  requestProblems: chatRequestProblems,
  repliesIn,
};

/** Source: "Error codes", OpenAI API documentation. */
const errorTypes: Readonly<
  Record<number, { readonly type: string; readonly code: string | null }>
> = {
  400: { type: "invalid_request_error", code: null },
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "invalid_request_error", code: null },
  404: { type: "invalid_request_error", code: "model_not_found" },
  413: { type: "invalid_request_error", code: "context_length_exceeded" },
  429: { type: "requests", code: "rate_limit_exceeded" },
  500: { type: "server_error", code: null },
};
