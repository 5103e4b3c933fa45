import { anthropicErrorFrame, anthropicFrames } from "./anthropic-frames.ts";
import { requestProblems } from "./request-check.ts";
import { repliesIn, type ScriptedWire } from "./wire.ts";

/** The Messages API. */
export const anthropicWire: ScriptedWire = {
  paths: /^\/v1\/messages$/,
  framesOf: anthropicFrames,
  errorFrame: anthropicErrorFrame,
  errorBody(status, message) {
    const type = errorTypes[status] ?? "api_error";
    return JSON.stringify({ type: "error", error: { type, message } });
  },
  requestProblems,
  repliesIn,
};

/** Source: "Errors", Anthropic API documentation. */
const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};
