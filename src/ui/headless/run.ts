import { answersByRule, follow, type OpenedSession, resumeCommand } from "#app";
import {
  type Command,
  isPawlError,
  isRunning,
  openCalls,
  PawlError,
  resultOfRun,
  type RunResult,
  type State,
} from "#core";
import { exitCodes } from "../exit-code.ts";
import { onSignals, type StopSignal } from "../terminal/signals.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { callTitle } from "../view/call-title.ts";
import { endingNote } from "../view/ending.ts";
import { Narrator } from "../view/narrator.ts";
import { unfinishedReport } from "../view/unfinished.ts";
import { heartbeatMs, stillGoingOn } from "./heartbeat.ts";
import { jsonReporter, type Reporter, streamReporter, textReporter } from "./reporter.ts";

export interface HeadlessRun {
  readonly opened: OpenedSession;
  readonly terminal: Terminal;
  readonly format: "text" | "json" | "stream-json";
  readonly signals: "include" | "leave_out";
  /** What becomes of a question that no rule answers. */
  readonly onAsk: "deny" | "pause";
  /** The first command; null = go on with what is unfinished. */
  readonly prompt: Command | null;
  /** Sends further commands; resolves when no more come. */
  readonly commands: ((opened: OpenedSession, stop: AbortSignal) => Promise<void>) | null;
}

/** Time for everything to end in order after a signal, in ms; the runtime itself needs at most 2 s. */
const stopDeadlineMs = 5_000;
/** Time for the last line to be written when the second signal comes, in ms. */
const leaveMs = 200;

/**
 * Runs a session without a person: sends what was asked, waits for the end, writes the result.
 * @returns the exit code (contract, section 2)
 */
export async function runHeadless(run: HeadlessRun): Promise<number> {
  const { opened, terminal } = run;
  const { session } = opened;
  const narrator = new Narrator(terminal.words, terminal.style.err);
  narrator.begin(session.state);
  const reporter = reporterFor(run, narrator);
  const following = report(opened, reporter);
  const stop = stopper(run);
  sayUnfinished(run);
  const beat = setInterval(() => {
    if (run.format === "stream-json") return;
    const line = stillGoingOn(session.state, Date.now(), { words: terminal.words, narrator });
    if (line !== null) terminal.note(line);
  }, heartbeatMs);
  let result: RunResult;
  try {
    await begin(run);
    result = await Promise.race([work(run, stop.signal), stop.tooLate])
      .then(() => opened.close())
      .then(() => endOf(session.state, stop.how))
      .catch((error: unknown) => failed(error, { run, narrator }));
  } finally {
    clearInterval(beat);
    // After a failure this fails again, with nothing new to say.
    await opened.close().catch(() => {});
    await following;
    stop.off();
  }
  await reporter.result(session.state, result);
  sayHowToGoOn(session.state, result, { run, narrator });
  await terminal.out.drained();
  const cutOff = terminal.out.gone.aborted && terminal.out.gone.reason !== "EPIPE";
  if (cutOff) terminal.warn(terminal.words.progress.notWritten(String(terminal.out.gone.reason)));
  await terminal.err.drained();
  if (cutOff) return exitCodes.failed;
  return exitCodes[stop.how ?? result.outcome];
}

/** A signal between two prompts interrupts no run, and still is why this process ends. Nothing asked is all done. */
function endOf(state: State, how: StopSignal | null): RunResult {
  const result = resultOfRun(state);
  if (state.phase.at !== "idle") return result;
  return { ...result, outcome: how === null ? "completed" : "interrupted" };
}

interface Telling {
  readonly run: HeadlessRun;
  readonly narrator: Narrator;
}

/** The engine or the disk gave up: programs get a result for that too, and people read it in their language. */
function failed(error: unknown, { run, narrator }: Telling): RunResult {
  const { opened, terminal } = run;
  const message = error instanceof Error ? error.message : String(error);
  terminal.warn(`! ${isPawlError(error) ? terminal.words.told.error(error) : message}`);
  narrator.said(message);
  const result = resultOfRun(opened.session.state);
  return { ...result, outcome: "failed", warnings: [...result.warnings, message] };
}

function reporterFor(run: HeadlessRun, narrator: Narrator): Reporter {
  const { terminal, opened } = run;
  const parts = { terminal, opened, narrator };
  switch (run.format) {
    case "text":
      return textReporter(parts);
    case "json":
      return jsonReporter(parts);
    case "stream-json":
      return streamReporter(parts, run.signals);
    default:
      return run.format satisfies never;
  }
}

/** What the last process left open, before anything is done about it. */
function sayUnfinished({ opened, terminal, format }: HeadlessRun): void {
  const { found } = opened.session;
  if (found === null || !found.running || found.refused > 0 || format === "stream-json") return;
  // A fork leaves what was open to the session it came from.
  if (found.state.sessionId !== opened.session.id) return;
  const { words } = terminal;
  for (const line of [words.unfinished.goesOn, ...unfinishedReport(found, words)]) {
    terminal.note(line);
  }
}

async function report(opened: OpenedSession, reporter: Reporter): Promise<void> {
  for await (const followed of follow(opened, opened.firstSeq)) await reporter.item(followed);
}

async function begin({ opened, prompt, commands, terminal }: HeadlessRun): Promise<void> {
  const { session } = opened;
  const unfinished = isRunning(session.state);
  if (prompt === null && (unfinished || commands !== null)) return;
  // Stopped because the journal was damaged: nothing begins again before somebody has looked.
  if (prompt === null && session.found?.running === true && session.found.refused > 0) return;
  if (prompt === null && resultOfRun(session.state).outcome === "completed") {
    // Whoever asked may have been killed before the answer was out.
    terminal.note(terminal.words.session.finished);
    return;
  }
  const sent = await session.send(prompt ?? { type: "continue" });
  if ("refused" in sent) throw new PawlError("usage", terminal.words.told.refusal(sent));
}

/** Until nothing is left to do, or a question is left that nobody here can answer. */
async function work(run: HeadlessRun, stop: AbortSignal): Promise<void> {
  const { opened, onAsk } = run;
  if (run.commands) {
    await answerByRules(opened);
    await run.commands(opened, stop);
  }
  if (onAsk === "deny") opened.setQuestions("deny");
  do await opened.session.settled();
  while (await answerByRules(opened));
}

/** True when a question was answered, so that the run goes on. */
async function answerByRules(opened: OpenedSession): Promise<boolean> {
  const answers = answersByRule(opened.session.state, opened.policy());
  for (const answer of answers) await opened.session.send(answer);
  return answers.length > 0;
}

interface Stopper {
  readonly signal: AbortSignal;
  /** Resolves when ending in order takes too long. */
  readonly tooLate: Promise<void>;
  /** null = nobody asked. */
  readonly how: StopSignal | null;
  off(): void;
}

function stopper({ opened, terminal, format }: HeadlessRun): Stopper {
  const { session } = opened;
  const abort = new AbortController();
  const late = Promise.withResolvers<void>();
  let how: StopSignal | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stop = (signal: StopSignal): void => {
    if (how !== null) return;
    how = signal;
    abort.abort();
    timer = setTimeout(late.resolve, stopDeadlineMs);
    // A refusal means that nothing runs; a failed journal is reported by whoever waits for the session.
    session.send({ type: "interrupt", now: true }).catch(() => late.resolve());
  };
  const off = onSignals({
    stop(signal) {
      terminal.note(terminal.words.progress.stopping);
      stop(signal);
    },
    leave(signal) {
      terminal.warn(terminal.words.progress.leaving);
      const leave = (): never => process.exit(exitCodes[signal]);
      // A reader that takes nothing must not hold up the second signal.
      setTimeout(leave, leaveMs);
      void terminal.err.drained().then(leave);
    },
  });
  // Nobody reads the facts any more: whoever started this is gone.
  if (format === "stream-json") {
    terminal.out.gone.addEventListener("abort", () => stop("interrupted"));
  }
  return {
    signal: abort.signal,
    tooLate: late.promise,
    get how() {
      return how;
    },
    off() {
      clearTimeout(timer);
      off();
    },
  };
}

function sayHowToGoOn(state: State, result: RunResult, { run, narrator }: Telling): void {
  if (state.prompt.seq === 0) return;
  const { terminal } = run;
  const { progress } = terminal.words;
  const { outcome } = result;
  for (const warning of narrator.unsaid(result)) terminal.warn(`! ${warning}`);
  const note = endingNote(state, result, terminal.words);
  // A limit is part of the answer already.
  if (note !== null && !(run.format === "text" && outcome === "limit")) terminal.warn(`! ${note}`);
  if (outcome === "completed") return;
  if (outcome === "waiting") {
    for (const call of openCalls(state).filter((one) => one.status.at === "asked")) {
      terminal.warn(progress.waiting(call.id, callTitle(call.tool, call.input)));
    }
    terminal.warn(progress.howToAnswer(state.sessionId));
    return;
  }
  terminal.warn(progress.resume(resumeCommand(state)));
}
