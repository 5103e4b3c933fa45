import assert from "node:assert/strict";
import { test } from "node:test";
import { retryDelayMs } from "#core";
import { fakeClock, scriptedClient } from "#testing";
import { ask } from "./asking.ts";

async function failureOf(
  status: number,
  type: string,
  more: { readonly message?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const body = { type: "error", error: { type, message: more.message ?? "Something." } };
  const fault = { type: "status", status, headers: more.headers ?? {}, body } as const;
  const client = scriptedClient({ ref: "scripted/x", turns: [{ fault }], clock: fakeClock(0) });
  const last = await ask(client);
  assert.ok(last.type === "failure");
  return last.failure;
}

for (const [status, type, message, kind] of [
  [400, "invalid_request_error", "max_tokens: 9 > 8", "invalid_request"],
  [
    400,
    "invalid_request_error",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "context_overflow",
  ],
  [400, "invalid_request_error", "Your credit balance is too low to access the API.", "billing"],
  [
    400,
    "invalid_request_error",
    "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    "broken_history",
  ],
  [
    400,
    "invalid_request_error",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "broken_history",
  ],
  [400, "invalid_encrypted_content", "It could not be verified.", "broken_history"],
  [401, "authentication_error", "invalid x-api-key", "auth"],
  [402, "billing_error", "pay", "billing"],
  [403, "permission_error", "no", "auth"],
  [404, "not_found_error", "model: claude-none", "not_found"],
  [408, "timeout_error", "slow", "server"],
  [409, "conflict", "locked", "server"],
  [413, "request_too_large", "too large", "context_overflow"],
  [422, "unprocessable", "no", "invalid_request"],
  [429, "rate_limit_error", "Your input tokens per minute exceed the limit", "rate_limit"],
  [500, "api_error", "oops", "server"],
  [503, "x", "the engine is overloaded", "overloaded"],
  [529, "overloaded_error", "Overloaded", "overloaded"],
] as const) {
  test(`R37 R38 ${status} ${type} "${message.slice(0, 40)}" is ${kind}`, async () => {
    const failure = await failureOf(status, type, { message });
    assert.equal(failure.class, kind);
    assert.equal(failure.status, status);
    assert.ok(failure.message.includes(type) && failure.message.includes(message.slice(0, 20)));
  });
}

for (const [status, message] of [
  [400, "messages.0.content.1.image.source.base64.data: image exceeds 5 MB maximum: 6 > 5 bytes"],
  [
    400,
    "At least one of the image dimensions exceed max allowed size for many-image requests: 2000",
  ],
  [400, "messages.2: Could not process image"],
  [400, "Image does not match the provided media type image/png"],
  [400, "You uploaded an unsupported image. Please make sure your image is valid."],
  [400, "The image data you provided does not represent a valid image."],
  [400, "Invalid 'messages[1].content[1].image_url'. Expected a base64-encoded data URL"],
  [400, "Unable to process input image. Please retry"],
  [400, "Provided image is not valid."],
  [400, "Image input modality is not enabled for models/gemma-3-1b-it"],
  [404, "No endpoints found that support image input"],
  [400, "unknown variant `image_url`, expected `text`"],
  [400, "This model does not support image inputs"],
  [500, "image input is not supported - hint: you may need to provide the mmproj"],
  [500, "this model is missing data required for image input"],
] as const) {
  test(`[W08] ${status} "${message.slice(0, 60)}" is about the images`, async () => {
    const failure = await failureOf(status, "invalid_request_error", { message });
    assert.equal(failure.about, "images");
  });
}

for (const message of [
  "messages: at least one message is required",
  "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens",
  "tools.0.name: 'image_edit' is too long",
  "model: claude-image-none was not found",
]) {
  test(`"${message}" is not about images`, async () => {
    const failure = await failureOf(400, "invalid_request_error", { message });
    assert.equal(failure.about, undefined);
  });
}

for (const [message, kind] of [
  [
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    "broken_history",
  ],
  [
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    "broken_history",
  ],
  ["The encrypted content gAAA= could not be verified.", "broken_history"],
  ["Duplicate item found with id rs_1.", "broken_history"],
  ["tool_call_id call_1 is not found", "broken_history"],
  ["Not the same number of function calls and responses", "broken_history"],
  [
    "Failed to call a function. Please adjust your prompt. See 'failed_generation'.",
    "bad_tool_call",
  ],
  ["tool call validation failed: attempted to call tool 'x'", "bad_tool_call"],
  ["error parsing tool call: raw='{', err=unexpected end of JSON input", "bad_tool_call"],
  ["Failed to parse tool call arguments as JSON", "bad_tool_call"],
] as const) {
  test(`"${message.slice(0, 60)}" is ${kind}`, async () => {
    const failure = await failureOf(400, "invalid_request_error", { message });
    assert.equal(failure.class, kind);
  });
}

for (const [headers, ms] of [
  [{ "retry-after": "9".repeat(400) }, 366 * 86_400_000],
  [{}, null],
  [{ "retry-after": "3" }, 3000],
  [{ "retry-after": "0.25" }, 250],
  [{ "retry-after": "3600" }, 3_600_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "-1" }, null],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, 30_000],
  [
    { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT", date: "Thu, 01 Jan 1970 00:00:10 GMT" },
    20_000,
  ],
  [{ "retry-after": "Wed, 31 Dec 1969 00:00:00 GMT" }, 0],
  [{ "retry-after": "Thu, 99 Xxx 2026 00:00:00 GMT" }, null],
  [{ "retry-after": "5", "retry-after-ms": "820" }, 820],
  [{ "retry-after": "5", "retry-after-ms": "many" }, 5000],
] as const) {
  test(`${JSON.stringify(headers)} means a wait of ${ms} ms [L08]`, async () => {
    const failure = await failureOf(429, "rate_limit_error", { headers });
    assert.equal(failure.retryAfterMs, ms);
  });
}

test("a server that says not to try again is not tried again", async () => {
  const failure = await failureOf(500, "api_error", { headers: { "x-should-retry": "false" } });
  assert.equal(failure.final, true);
  assert.equal(retryDelayMs(failure, { attempt: 1, waitedMs: 0 }, 0), null);
});

test("control characters and line ends of a server never reach the user", async () => {
  const failure = await failureOf(500, "api_error", {
    message: "a\u001b]52;c;x\u0007b\r\nc\u009bd",
  });
  // oxlint-disable-next-line no-control-regex -- that is what must not be there
  assert.doesNotMatch(failure.message, /[\u0000-\u001f\u007f-\u009f]/);
});

test("an endless message is cut, hostile patterns cost nothing", async () => {
  const startMs = performance.now();
  for (const message of [
    "x".repeat(60_000),
    "input token count ".repeat(3000),
    "<".repeat(60_000),
    "try again in ".repeat(4000),
    "://".repeat(20_000),
  ]) {
    const failure = await failureOf(500, "api_error", { message });
    assert.ok(failure.message.length < 600);
  }
  assert.ok(performance.now() - startMs < 10_000);
});

for (const [status, type, message] of [
  [400, "invalid_request_error", "Could not process image"],
  [
    400,
    "invalid_request_error",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6 bytes > 5 bytes",
  ],
  [
    400,
    "invalid_request_error",
    "messages.100.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
  ],
  [400, "INVALID_ARGUMENT", "Unable to process input image. Please retry or report in https://x"],
  [400, "INVALID_ARGUMENT", "Provided image is not valid."],
  [400, "INVALID_ARGUMENT", "Unsupported MIME type: image/gif"],
  [400, "invalid_image_format", "You uploaded an unsupported image."],
  [400, "image_parse_error", "Something."],
  [400, "invalid_request_error", "Invalid image (base64) data."],
  [404, "404", "No endpoints found that support image input"],
  [400, "x", "this model does not support image input (ref: b8bd630e)"],
  [500, "server_error", "image input is not supported - hint: you may need to provide the mmproj"],
  [400, "invalid_request_error", "Failed to load image or audio file"],
  [400, "BadRequestError", "qwen3-coder is not a multimodal model"],
  [400, "BadRequestError", "At most 1 image(s) may be provided in one prompt."],
  [422, "invalid_request_error", "unknown variant `image_url`, expected `text`"],
] as const) {
  test(`[W08] ${status} "${message.slice(0, 60)}" is about an image`, async () => {
    assert.equal((await failureOf(status, type, { message })).about, "images");
  });
}

test("a failure that only mentions images is not about them", async () => {
  for (const [status, type, message] of [
    [429, "rate_limit_error", "Too many images this minute"],
    [400, "image_content_policy_violation", "Something."],
    [400, "invalid_request_error", "messages.0: text content blocks must be non-empty"],
  ] as const) {
    assert.equal((await failureOf(status, type, { message })).about, undefined, type);
  }
});

for (const message of [
  "registry.ollama.ai/library/gemma:2b does not support tools",
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  "tools param requires --jinja flag",
  "No endpoints found that support tool use.",
  "`tool calling` is not supported with this model",
]) {
  test(`R106 "${message.slice(0, 50)}" says how to use a model without tools`, async () => {
    const failure = await failureOf(400, "invalid_request_error", { message });
    assert.equal(failure.about, "tools");
    assert.match(failure.message, /"tools": "text"/);
  });
}
