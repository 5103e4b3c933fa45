import { createHash } from "node:crypto";
import type { CallId, ToolUse } from "#core";

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

export interface WireIdRules {
  /** First part of the references of its models. */
  readonly provider: string;
  /** What the API takes as an id. */
  readonly sendable: RegExp;
  /** The id for a call of ours from 32 hexadecimal digits, when our own name of it cannot be sent. */
  readonly made: (digits: string) => string;
}

export function wireIds({ provider, sendable, made }: WireIdRules): WireIds {
  const byCall = new Map<CallId, string>();
  const used = new Set<string>();

  function choose({ wireId, call }: ToolUse, model: string): string {
    const isOurs = model.startsWith(`${provider}/`);
    if (isOurs && wireId !== null && sendable.test(wireId) && !used.has(wireId)) return wireId;
    for (let copy = 1; ; copy += 1) {
      const id = normalised(copy === 1 ? call : `${call}_${copy}`);
      if (!used.has(id)) return id;
    }
  }

  function normalised(id: string): string {
    if (sendable.test(id)) return id;
    return made(createHash("sha256").update(id).digest("hex").slice(0, 32));
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
