import type { Json, JsonObject, Stop, StopReason } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";

/** Why a reply is incomplete. Source: `incomplete_details.reason`, OpenAI API reference. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["max_output_tokens", "max_tokens"],
  ["max_tokens", "max_tokens"],
  ["content_filter", "content_filter"],
]);

/**
 * The stop reason of a reply that has ended. The wire has no label for one that is complete: what it holds says which
 * it is. A status or a reason nobody knows is `unknown`, with its label.
 */
export function stopOf(
  response: JsonObject,
  holds: { readonly call: boolean; readonly refusal: boolean },
): Stop {
  const status = response["status"];
  if (status === "completed") {
    if (holds.refusal) return { reason: "refusal", raw: "refusal" };
    return { reason: holds.call ? "tool_use" : "end_turn", raw: null };
  }
  if (status === "incomplete") {
    return labelled(objectOf(response["incomplete_details"])?.["reason"]);
  }
  return { reason: "unknown", raw: stringOf(status)?.slice(0, longestLabel) ?? null };
}

function labelled(label: Json | undefined): Stop {
  if (label === undefined || label === null) return { reason: "unknown", raw: null };
  const raw = typeof label === "string" ? label : JSON.stringify(label);
  return { reason: reasons.get(raw) ?? "unknown", raw: raw.slice(0, longestLabel) };
}

const longestLabel = 200;
