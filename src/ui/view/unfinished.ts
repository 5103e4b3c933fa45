import { openCalls } from "#core";
import type { Words } from "#i18n";
import type { Found } from "#runtime";
import { callTitle } from "./call-title.ts";

/** What a run left open, a line for each call: finished, running, waiting for an answer and never started told apart (requirement R81). */
export function unfinishedReport(found: Found, { unfinished }: Words): readonly string[] {
  const calls = openCalls(found.state).map((call) => {
    const title = callTitle(call.tool, call.input);
    if (call.status.at === "settled") return `  ${unfinished.done(title)}`;
    if (call.status.at === "asked") return `  ${unfinished.asked(title)}`;
    const wasRunning = found.lostCalls.includes(call.id) || call.status.at === "unknown";
    return `  ${wasRunning ? unfinished.running(title) : unfinished.notStarted(title)}`;
  });
  return found.lostRequest ? [...calls, `  ${unfinished.streaming}`] : calls;
}
