import type { Unfinished } from "#app/store";
import { openCalls } from "#core";
import type { Words } from "#i18n";
import { callTitle } from "../view/call-title.ts";

/** What the last run in this folder left open, line by line (requirements R76, R81). */
export function unfinishedReport({ info, found }: Unfinished, words: Words): readonly string[] {
  const { unfinished } = words;
  const calls = openCalls(found.state).map((call) => {
    const title = callTitle(call.tool, call.input);
    if (call.status.at === "settled") return `  ${unfinished.done(title)}`;
    const wasRunning = found.lostCalls.includes(call.id) || call.status.at === "unknown";
    return `  ${wasRunning ? unfinished.running(title) : unfinished.notStarted(title)}`;
  });
  return [
    unfinished.head(info.id, info.title),
    ...calls,
    ...(found.lostRequest ? [`  ${unfinished.streaming}`] : []),
  ];
}
