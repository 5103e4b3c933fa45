import type { FailureClass } from "#core";
import type { WireError } from "./error-class.ts";

/** Classes that say nothing of what the request held. */
const others: ReadonlySet<FailureClass> = new Set([
  "auth",
  "billing",
  "content_filter",
  "rate_limit",
  "overloaded",
]);

/** `invalid_image_format`, `image_parse_error`, `image_too_large`, …: codes of the Responses API. */
const label = /(?:^|_)image(?:_|$)/;

/** Wordings: answers of the providers and of local servers, collected in the field. */
const wordings = new RegExp(
  [
    // Anthropic
    "could not process image",
    "image exceeds .{1,40} maximum",
    "image dimensions exceed",
    "image\\.source\\b",
    "too many images",
    "image does not match",
    // Gemini
    "unable to process input image",
    "provided image is not valid",
    "image input modality is not enabled",
    "unsupported mime type: '?image",
    "inline_?data",
    // OpenAI
    "unsupported image",
    "invalid image",
    "does not represent a valid image",
    // Gateways and local servers
    "(?:not|n't) support (?:image|vision|multimodal)",
    "support image input",
    "image(?: input| content)? (?:is )?not (?:supported|enabled)",
    "image_url",
    "not a multimodal model",
    "multimodal endpoint",
    "failed to (?:load|decode)(?: the)? image",
    "cannot identify image file",
    "at most \\d+ image",
    "image length and width",
    "missing data required for image input",
    "content must be a string",
  ].join("|"),
  "i",
);

/** True when the server refused an image in the request, whatever it calls that: without it the rest may be taken. */
export const refusesImage = (
  { labels, message }: Omit<WireError, "status">,
  kind: FailureClass,
): boolean =>
  !others.has(kind) && (labels.some((one) => label.test(one)) || wordings.test(message));
