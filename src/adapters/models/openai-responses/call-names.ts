import type { CallId, ToolUse } from "#core";
import { wireIds } from "../shared/wire-ids.ts";
import { provider } from "./provider.ts";

type CallType = "function_call" | "custom_tool_call";

/** Under which id and as what each call of a conversation goes out; its result follows it. */
export interface CallNames {
  forCall(call: ToolUse, as: { readonly author: string; readonly type: CallType }): string;
  ofCall(call: CallId): { readonly id: string; readonly type: CallType };
}

export function callNames(): CallNames {
  // Source: the API's own error, "string too long. Expected a string with maximum length 64".
  const ids = wireIds({
    provider,
    sendable: /^[a-zA-Z0-9_-]{1,64}$/,
    made: (digits) => `call_${digits}`,
  });
  const custom = new Set<CallId>();
  return {
    forCall(call, { author, type }) {
      if (type === "custom_tool_call") custom.add(call.call);
      return ids.forCall(call, author);
    },
    ofCall: (call) => ({
      id: ids.ofCall(call),
      type: custom.has(call) ? "custom_tool_call" : "function_call",
    }),
  };
}
