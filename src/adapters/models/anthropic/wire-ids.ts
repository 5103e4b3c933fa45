import { createHash } from "node:crypto";
import type { CallId, ToolUse } from "#core";

/** Owner of our opaque data, and the first part of our model references. */
export const provider = "anthropic";

/**
 * Ids of calls on the wire. A call this provider made keeps the id it had; when that id is missing, cannot be sent, or
 * was used before in the same conversation (servers that count `call_0` in every reply), our own id stands for it,
 * in the call and in its result alike. An id once given stays, so that the bytes of a conversation stay.
 */
export interface WireIds {
  forCall(call: ToolUse, model: string): string;
  /** The id a call went out with. */
  ofCall(call: CallId): string;
}

export function wireIds(): WireIds {
  const byCall = new Map<CallId, string>();
  const used = new Set<string>();

  function choose({ wireId, call }: ToolUse, model: string): string {
    const isOurs = model.startsWith(`${provider}/`);
    if (isOurs && wireId !== null && isSendable(wireId) && !used.has(wireId)) return wireId;
    const own = normalised(call);
    for (let copy = 1; ; copy += 1) {
      const id = copy === 1 ? own : `${own}_${copy}`;
      if (!used.has(id)) return id;
    }
  }

  return {
    forCall(call, model) {
      const known = byCall.get(call.call);
      if (known !== undefined) return known;
      const id = choose(call, model);
      used.add(id);
      byCall.set(call.call, id);
      return id;
    },
    ofCall: (call) => byCall.get(call) ?? normalised(call),
  };
}

/** Source: the API's own error, "String should match pattern '^[a-zA-Z0-9_-]+$'". */
const isSendable = (id: string): boolean => /^[a-zA-Z0-9_-]{1,256}$/.test(id);

function normalised(call: CallId): string {
  if (isSendable(call)) return call;
  return `call_${createHash("sha256").update(call).digest("hex").slice(0, 32)}`;
}
