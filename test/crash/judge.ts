import type { RecordedRequest } from "#testing";
import type { Observation, SeenCall } from "./observe.ts";
import type { Ended } from "./program.ts";

/** The run nobody killed: what every other one is measured by. */
export interface Unkilled {
  readonly seen: Observation;
  readonly points: readonly string[];
  readonly requests: number;
  readonly ms: number;
}

export interface Verdict {
  /**
   * `same`: as if nobody had killed it. `partial`: calls ended with the output they had. `undetermined`: it says of which
   * calls nobody can tell whether they happened.
   */
  readonly outcome: "same" | "partial" | "undetermined" | "wrong";
  readonly problems: readonly string[];
}

export interface Killed {
  readonly requests: readonly RecordedRequest[];
  /** Crash points that all its processes passed. */
  readonly points: readonly string[];
  readonly seen: Observation;
  readonly lives: readonly Ended[];
  /** What still ran when all was over. */
  readonly processes: readonly string[];
  /** Effects that came before their start was on disk. */
  readonly unannounced: readonly string[];
}

/** Is this what a run may be after kills, and nothing else? */
export function judge(killed: Killed, unkilled: Unkilled): Verdict {
  const { seen } = killed;
  const problems = [
    ...journalProblems(seen),
    ...talkProblems(seen, unkilled.seen),
    ...seen.calls.flatMap((call) => callProblems(call, killed, unkilled)),
    ...effectProblems(seen),
    ...fileProblems(killed, unkilled),
    ...requestProblems(killed, unkilled),
    ...endProblems(killed),
    ...killed.processes.map((one) => `still runs: ${one}`),
    ...killed.unannounced.map((one) => `${one} happened before its start was on disk`),
  ];
  if (problems.length > 0) return { outcome: "wrong", problems };
  const fates = new Set(seen.calls.map((call) => call.fate));
  const isPartial = fates.has("interrupted") || seen.calls.some(saysCut);
  const outcome = fates.has("undetermined") ? "undetermined" : isPartial ? "partial" : "same";
  return { outcome, problems };
}

function journalProblems({ journal }: Observation): readonly string[] {
  if (journal === null) return ["there is no journal"];
  const { phase } = journal.state;
  const completed = phase.at === "stopped" && phase.outcome === "completed";
  return completed
    ? journal.problems
    : [...journal.problems, `the run is ${JSON.stringify(phase)}`];
}

function talkProblems(seen: Observation, expected: Observation): readonly string[] {
  const length = Math.max(seen.talk.length, expected.talk.length);
  return Array.from({ length }, (_, index) => index)
    .filter((index) => seen.talk[index] !== expected.talk[index])
    .map((index) => `message ${index}: ${seen.talk[index]}, not ${expected.talk[index]}`);
}

/** A result is the one of the unkilled run, or says why it is not. */
function callProblems(call: SeenCall, killed: Killed, unkilled: Unkilled): readonly string[] {
  const { seen, lives } = killed;
  const { name, result } = call;
  if (result === null) return [`${name} has no result`];
  const expected = unkilled.seen.calls.find((one) => one.name === name)?.result;
  const isSame = result.text === expected?.text && result.isError === expected.isError;
  switch (call.fate) {
    case "ended":
      return isSame || saysCut(call) ? [] : [`${name} gave ${result.text}, not ${expected?.text}`];
    case "open":
      return [`${name} was started and has no recorded end`];
    case "never_started":
      return notRunProblems(call, seen);
    case "interrupted":
    case "undetermined":
      return [
        ...(call.tool === "bash" ? [] : [`${name} is ${call.fate}, and only a command may be`]),
        ...(result.isError ? [] : [`${name} is ${call.fate} and no error`]),
        ...partialOutputProblems(call, seen),
        ...(lives.some((life) => tellsOf(life, call))
          ? []
          : [`nobody was told that ${name} is ${call.fate}`]),
      ];
    default:
      return call.fate satisfies never;
  }
}

/** It ended by itself; only what it printed last was lost with its copier, and that is said. */
const saysCut = ({ fate, tool, result }: SeenCall): boolean =>
  fate === "ended" && tool === "bash" && /may be missing/.test(result?.text ?? "");

const tellsOf = (life: Ended, call: SeenCall): boolean =>
  life.stderr.split("\n").some((line) => line.includes(effectOf(call) ?? call.tool));

function notRunProblems({ name, reply, result }: SeenCall, seen: Observation): readonly string[] {
  const before = seen.calls.filter((one) => one.reply === reply && one.name < name);
  const isDue = before.some((one) => one.fate === "interrupted" || one.fate === "undetermined");
  const says = result?.isError === true && /not run/i.test(result.text);
  return isDue && says ? [] : [`${name} was not run: ${result?.text}`];
}

/** The name a command of a scenario leaves in the effects file; null for other calls. */
export const effectOf = (call: Pick<SeenCall, "tool" | "input">): string | null =>
  call.tool === "bash" ? (/echo (\w+) begins/.exec(call.input)?.[1] ?? null) : null;

/**
 * What a command said before it had its effect is in its result. Not if its copier was killed with it: what
 * was in the pipe just then is lost, and only such a call is undetermined.
 */
function partialOutputProblems(call: SeenCall, seen: Observation): readonly string[] {
  const name = effectOf(call);
  if (name === null || !seen.effects.includes(name) || call.fate === "undetermined") return [];
  return call.result?.text.includes(`${name} begins`) === true
    ? []
    : [`${call.name} lost its partial output: ${call.result?.text}`];
}

function effectProblems(seen: Observation): readonly string[] {
  const times = (name: string): number => seen.effects.filter((one) => one === name).length;
  const commands = seen.calls.flatMap((call) => {
    const name = effectOf(call);
    if (name === null) return [];
    const count = times(name);
    if (count > 1) return [`${call.name} ran ${count} times`];
    if (call.fate === "ended" && count !== 1) return [`${call.name} is done and left nothing`];
    if (call.fate === "never_started" && count !== 0) return [`${call.name} ran unrecorded`];
    return [];
  });
  const known = new Set(seen.calls.map(effectOf));
  const strange = seen.effects.filter((name) => !known.has(name));
  return [...commands, ...strange.map((name) => `something wrote ${JSON.stringify(name)}`)];
}

const renames = (points: readonly string[]): number =>
  points.filter((point) => /^(write|edit)\.after_rename$/.test(point)).length;

function fileProblems({ points, seen }: Killed, unkilled: Unkilled): readonly string[] {
  const paths = new Set([...Object.keys(seen.files), ...Object.keys(unkilled.seen.files)]);
  const different = [...paths].filter((path) => seen.files[path] !== unkilled.seen.files[path]);
  const written = renames(points);
  const most = renames(unkilled.points);
  return [
    ...different.map((path) => `${path} has other content: ${JSON.stringify(seen.files[path])}`),
    ...(written > most ? [`${written} files were written instead of ${most}`] : []),
  ];
}

/** Every request was one the real API takes, none was needless, and a repeated one asked the same. */
function requestProblems({ requests, lives }: Killed, unkilled: Unkilled): readonly string[] {
  const refused = requests.flatMap((one) => one.problems.map((what) => `request refused: ${what}`));
  const most = unkilled.requests + lives.length - 1;
  const asked = new Map<number, string>();
  const changed = requests.flatMap(({ turn, body }) => {
    if (turn === null) return [];
    const messages = JSON.stringify(body["messages"]);
    const before = asked.get(turn) ?? messages;
    asked.set(turn, messages);
    return before === messages ? [] : [`turn ${turn} was asked for with another conversation`];
  });
  return [
    ...refused,
    ...changed,
    ...(requests.length > most ? [`${requests.length} requests instead of at most ${most}`] : []),
  ];
}

/** The last process came to its end by itself and reported it. */
function endProblems({ lives, seen }: Killed): readonly string[] {
  const last = lives.at(-1);
  if (last === undefined || last.signal === "SIGKILL") return [];
  const what = `exit ${last.code} ${last.signal ?? ""}: ${last.stdout.slice(0, 300)} ${last.stderr.slice(-600)}`;
  if (last.code !== 0) return [what];
  const answer: unknown = seen.journal?.state.prompt.answer;
  return last.stdout.includes(JSON.stringify(answer)) ? [] : [`another answer: ${what}`];
}
