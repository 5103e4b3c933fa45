import type { FailureClass } from "#core";

/** What an error answer or error event says, whatever its form. */
export interface WireError {
  /** HTTP status, or what an error inside a stream says of one; null when it says nothing. */
  readonly status: number | null;
  /** The type, code and status labels it carries, as written. */
  readonly labels: readonly string[];
  readonly message: string;
}

interface Rule {
  readonly class: FailureClass;
  readonly statuses?: readonly number[];
  readonly labels?: readonly string[];
  readonly labelLike?: RegExp;
  readonly message?: RegExp;
}

/** First rule that matches any of its signs. Wordings: answers of the providers, collected in the field. */
const rules: readonly Rule[] = [
  {
    class: "billing",
    statuses: [402],
    labels: ["insufficient_quota", "billing_error", "billing_hard_limit_reached"],
    message: /credit balance is too low/i,
  },
  {
    class: "content_filter",
    labels: [
      "content_filter",
      "content_policy_violation",
      "ResponsibleAIPolicyViolation",
      "invalid_prompt",
      "cyber_policy",
      "bio_policy",
      "misalignment_policy_violation",
      "image_content_policy_violation",
    ],
  },
  {
    class: "bad_tool_call",
    labels: ["tool_use_failed"],
    message: new RegExp(
      [
        "tool call validation failed",
        "failed to call a function",
        "(failed to parse|error parsing|could not parse) (the )?tool[ _]calls?",
      ].join("|"),
      "i",
    ),
  },
  {
    class: "rate_limit",
    statuses: [429],
    labels: ["rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED"],
  },
  { class: "overloaded", statuses: [529], labels: ["overloaded_error"] },
  {
    class: "context_overflow",
    statuses: [413],
    labels: ["request_too_large", "context_length_exceeded", "exceed_context_size_error"],
    message: new RegExp(
      [
        "prompt is too long",
        "input is too long",
        "exceeds? (the )?context (limit|window)",
        "exceeds the context window",
        "context window exceeds",
        "exceeds the available context size",
        "greater than the context length",
        "maximum (context|prompt) length",
        "input token count .*exceeds",
        "prompt token count of \\d+ exceeds",
        "exceeded model token limit",
        "reduce the length of the (messages|input|prompt)",
      ].join("|"),
      "i",
    ),
  },
  {
    class: "broken_history",
    labels: ["invalid_encrypted_content"],
    message: new RegExp(
      [
        "`?tool_use`? ids were found without `?tool_result`?",
        "unexpected `?tool_use_id`?",
        "must have a corresponding `?tool_use`?",
        "multiple `?tool_result`? blocks",
        "`?tool_use`? ids must be unique",
        "no tool output found",
        "tool_call_ids did not have response messages",
        "must be followed by tool messages",
        "role 'tool' must be a response to",
        "tool call id was .{1,100} but must be",
        "unexpected role '\\w+' after role",
        "expected last role",
        "reasoning_content`? (in the thinking mode must be passed back|is missing)",
        "missing `?reasoning_content",
        "provided without its required",
        "no tool call found for function call output",
        "items are not persisted when",
        "roles must alternate",
        "final block in an assistant message cannot be `?thinking",
        "invalid `?signature`? in `?thinking",
        "missing a? ?`?thought_signature",
        "thought[ _]signature is not valid|(invalid|corrupted) thought[ _]signature",
        "thinking`? blocks .{1,60}cannot be modified",
        "expected `?thinking`? or `?redacted_thinking",
        "encrypted content .{0,80}could not be (verified|decrypted)",
        "duplicate item found with id",
        "tool_call_id .{0,80}is not found",
        "not the same number of function calls and responses",
        "number of function response parts",
        "function (call|response) turn comes immediately after",
        "text content blocks must (be non-empty|contain non-whitespace)",
        "all messages must have non-empty content",
      ].join("|"),
      "i",
    ),
  },
  {
    class: "auth",
    statuses: [401, 403, 407],
    labels: [
      "authentication_error",
      "permission_error",
      "invalid_api_key",
      "UNAUTHENTICATED",
      "PERMISSION_DENIED",
      "API_KEY_INVALID",
    ],
  },
  {
    class: "not_found",
    statuses: [404],
    labels: ["not_found_error", "model_not_found", "NOT_FOUND"],
  },
  {
    class: "overloaded",
    labels: ["engine_overloaded_error", "server_is_overloaded", "slow_down", "UNAVAILABLE"],
    message: /\boverloaded\b/i,
  },
  {
    class: "server",
    statuses: [408, 409, 425],
    labels: [
      "api_error",
      "timeout_error",
      "server_error",
      "internal_error",
      "INTERNAL",
      "DEADLINE_EXCEEDED",
      "ABORTED",
    ],
  },
  {
    class: "invalid_request",
    labels: [
      "invalid_request_error",
      "INVALID_ARGUMENT",
      "FAILED_PRECONDITION",
      "OUT_OF_RANGE",
      "data_residency_mismatch",
    ],
    // Images the Responses API cannot take: `invalid_image_url`, `image_too_large`, …
    labelLike: /(?:^|_)image_/,
  },
];

export function classOfError(error: WireError): FailureClass {
  return rules.find((rule) => matches(rule, error))?.class ?? classOfStatus(error.status);
}

function matches(rule: Rule, { status, labels, message }: WireError): boolean {
  return (
    (status !== null && rule.statuses?.includes(status) === true) ||
    labels.some((label) => rule.labels?.includes(label) === true) ||
    labels.some((label) => rule.labelLike?.test(label) === true) ||
    rule.message?.test(message) === true
  );
}

/** An error inside a stream that says nothing known is a fault of the server: the request had been accepted. */
function classOfStatus(status: number | null): FailureClass {
  return status === null || status >= 500 ? "server" : "invalid_request";
}

/** What the user can do about it; empty when the loop deals with it itself. */
export const advice: Readonly<Record<FailureClass, string>> = {
  auth: "Check the API key and what it may use.",
  billing: "Check the credit and the plan of the account.",
  not_found: "Check the name of the model and the base URL.",
  invalid_request: "The same request would fail again.",
  broken_history: "The conversation was sent in a form the provider does not accept.",
  bad_tool_call: "The model wrote a call the provider could not read.",
  content_filter: "The provider's filter stopped it.",
  context_overflow: "The conversation is too long for the model.",
  rate_limit: "Wait, or use another model or key.",
  overloaded: "Try again later.",
  server: "Try again later.",
  network: "Check the address, the network and the proxy.",
  tls: "If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file and start again.",
  stall: "Try again.",
  truncated: "Try again.",
  aborted: "",
  bad_answer: "Ask again, or make the schema easier to meet.",
  internal: "This is a fault in the program: please report it.",
};
