import type { Call, Command } from "#core";

/** How long a question stands before a key can answer it, in ms: what was typed before it was read is no answer. */
export const armAfterMs = 300;

/** What a line typed at a question means; null = nothing, ask again. */
export function answerIn(line: string, call: Pick<Call, "id">): Command | null {
  const text = line.trim();
  const answer = (
    verdict: "allow" | "deny",
    more: { readonly scope?: "once" | "session"; readonly reason?: string } = {},
  ): Command => ({
    type: "answer",
    call: call.id,
    verdict,
    scope: more.scope ?? "once",
    reason: more.reason ?? "",
  });
  switch (text.toLowerCase()) {
    case "":
      return null;
    case "y":
    case "yes":
    case "是":
      return answer("allow");
    case "a":
    case "always":
      return answer("allow", { scope: "session" });
    case "n":
    case "no":
    case "否":
      return answer("deny");
    default:
      return answer("deny", { reason: text });
  }
}
