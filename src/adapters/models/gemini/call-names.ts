import type { CallId, ToolUse } from "#core";
import { sendableToolName } from "../shared/outgoing.ts";
import { wireIds } from "../shared/wire-ids.ts";
import { provider } from "./provider.ts";

/** A call or its result as the wire names it: by tool, and by id where the API gave one. */
interface WireName {
  readonly id?: string;
  readonly name: string;
}

export interface CallNames {
  forCall(call: ToolUse, author: string): WireName;
  /** The name a call went out with: its result bears the same. */
  ofCall(call: CallId): WireName;
}

export function callNames(): CallNames {
  const ids = wireIds({
    provider,
    sendable: /^[\x21-\x7e]{1,128}$/,
    made: (digits) => `call_${digits}`,
  });
  const names = new Map<CallId, WireName>();
  return {
    forCall(call, author) {
      const known = names.get(call.call);
      if (known !== undefined) return known;
      // Older models give no ids and tell calls apart by their order; an id of ours would say nothing to them.
      const hasId = call.wireId !== null && author.startsWith(`${provider}/`);
      const name = {
        ...(hasId ? { id: ids.forCall(call, author) } : {}),
        name: toolName(call.tool),
      };
      names.set(call.call, name);
      return name;
    },
    ofCall: (call) => names.get(call) ?? { name: toolName("") },
  };
}

/** Source: `FunctionDeclaration.name`, Gemini API reference: begins with a letter or an underscore, 128 at most. */
function toolName(tool: string): string {
  const name = sendableToolName(tool, 127);
  return /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
}
