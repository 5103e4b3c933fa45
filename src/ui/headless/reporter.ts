import { answerJson, type Followed, type OpenedSession, resultObject } from "#app";
import { emptyState, resultOfRun, type RunResult, type State } from "#core";
import { endingNote } from "../view/ending.ts";
import type { Narrator } from "../view/narrator.ts";
import { neutralise, neutraliseControls } from "../terminal/neutralise.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { jsonLine } from "./json-line.ts";
import { runEnds } from "./run-ends.ts";

/** What a headless run writes: to stdout the protocol, to stderr lines for people. */
export interface Reporter {
  item(followed: Followed): Promise<void>;
  /** The run is over, or waits for a permission. Called last, and after everything else was written. */
  result(state: State, result: RunResult): Promise<void>;
}

export interface ReporterParts {
  readonly terminal: Terminal;
  readonly opened: OpenedSession;
  readonly narrator: Narrator;
}

/** The final answer on stdout. */
export function textReporter({ terminal, opened, narrator }: ReporterParts): Reporter {
  return {
    item: (followed) => narrate(followed, terminal, narrator),
    async result(state, result) {
      const text = await answerForPeople(state, result, { opened, terminal });
      if (text === "") return;
      const safe = terminal.out.isTerminal ? neutralise(text) : neutraliseControls(text);
      await terminal.out.write(safe.endsWith("\n") ? safe : `${safe}\n`);
    },
  };
}

/** At a limit the answer says so, in the person's language. */
async function answerForPeople(
  state: State,
  result: RunResult,
  { opened, terminal }: Pick<ReporterParts, "opened" | "terminal">,
): Promise<string> {
  // Whoever asked for JSON reads JSON of that schema, or nothing.
  if (state.prompt.answerSchema !== null) return (await answerJson(state, opened))?.json ?? "";
  if (result.outcome !== "limit") return answerText(opened, result);
  const answer = await answerText(opened, { text: state.prompt.answer });
  const note = endingNote(state, result, terminal.words) ?? "";
  return answer.trim() === "" ? note : `${answer}\n\n${note}`;
}

/** One result object on stdout. */
export function jsonReporter({ terminal, opened, narrator }: ReporterParts): Reporter {
  return {
    item: (followed) => narrate(followed, terminal, narrator),
    result: (state, result) => writeResult(state, result, { terminal, opened }),
  };
}

/**
 * One fact a line as it is in the journal, and one result object for each prompt when its run has ended; the last line
 * is a result. A prompt that joined a run under way has the result of that run.
 * @param signals whether text deltas and progress are written too
 */
export function streamReporter(parts: ReporterParts, signals: "include" | "leave_out"): Reporter {
  const { terminal, opened } = parts;
  const ends = runEnds(opened.session.found?.state ?? emptyState);
  let reported = 0;
  return {
    async item(followed) {
      if (followed.type === "signal") {
        if (signals === "include") await terminal.out.write(jsonLine({ signal: followed.signal }));
        return;
      }
      await terminal.out.write(jsonLine(followed.entry));
      const end = ends(followed.entry);
      if (end === null) return;
      reported = end.state.seq;
      for (let n = 0; n < end.prompts; n++) {
        await writeResult(end.state, resultOfRun(end.state), parts);
      }
    },
    async result(state, result) {
      const isNew = reported !== state.seq || result.outcome !== resultOfRun(state).outcome;
      if (isNew) await writeResult(state, result, parts);
    },
  };
}

async function narrate(followed: Followed, terminal: Terminal, narrator: Narrator): Promise<void> {
  if (followed.type === "signal") return;
  for (const line of narrator.lines(followed.entry, followed.state)) {
    if (line.level === "detail" && terminal.loudness !== "verbose") continue;
    if (line.level !== "warning" && terminal.loudness === "quiet") continue;
    await terminal.err.write(`${line.text}\n`);
  }
}

async function writeResult(
  state: State,
  result: RunResult,
  { opened, terminal }: Pick<ReporterParts, "opened" | "terminal">,
): Promise<void> {
  const object = await resultObject(state, result, opened);
  await terminal.out.write(jsonLine(object));
}

/** A long answer is kept outside the journal line. */
async function answerText(
  opened: OpenedSession,
  { text }: Pick<RunResult, "text">,
): Promise<string> {
  const whole = await opened.whole(text);
  return typeof whole === "string" ? whole : "";
}
