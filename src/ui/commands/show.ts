import { findSession, groundOf } from "#app/store";
import {
  emptyState,
  type Entry,
  isIllegal,
  modelInUse,
  PawlError,
  type State,
  summaryRequest,
  text,
  transition,
} from "#core";
import { type Journal, requestReader } from "#runtime";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { cutLine, neutralise } from "../terminal/neutralise.ts";
import { type Change, changesBetween } from "../view/changes.ts";
import { explain } from "../view/explain.ts";
import { type Used, used } from "../view/used-by-model.ts";

interface Range {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

interface Step {
  readonly entry: Entry;
  readonly before: State;
  readonly after: State;
  /** Why the fact was passed over; null when it was not. */
  readonly illegal: string | null;
}

/** `pawl show ID[@A..B]`: facts in sentences and what each changed; `--messages`: the requests as they were sent. */
export async function show(start: Start): Promise<number> {
  const { invocation, settings, terminal } = start;
  const range = rangeIn(start);
  const { store } = groundOf(settings);
  const { id } = await findSession(store, range.id);
  const journal = await store.open(id, "reader");
  try {
    for (const damage of journal.damage) {
      terminal.warn(`! ${terminal.words.progress.damage(terminal.words.told.damage(damage))}`);
    }
    if (range.from > journal.seq) {
      throw new PawlError("usage", terminal.words.session.noSuchStep(id, range.from, journal.seq));
    }
    const write = invocation.commandOptions.has("messages")
      ? requestWriter(start, journal)
      : stepWriter(start);
    let byModel: ReadonlyMap<string, Used> = new Map();
    for await (const step of steps(journal)) {
      const { entry, before } = step;
      if (entry.seq > range.to) break;
      if (entry.seq < range.from) continue;
      await write(step);
      byModel = used(byModel, entry.fact, modelInUse(before).model);
    }
    if (invocation.commandOptions.size === 0) await writeUsed(terminal, byModel);
  } finally {
    await journal.close();
  }
  return exitCodes.completed;
}

/** A line a model, under the steps. */
async function writeUsed(
  { out, words }: Start["terminal"],
  byModel: ReadonlyMap<string, Used>,
): Promise<void> {
  for (const [model, { replies, usage, costUsd, isUnpriced }] of byModel) {
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    const cost = isUnpriced ? words.progress.unpriced : `$${costUsd.toFixed(4)}`;
    const line = words.show.used(replies, input, { output: usage.output, cost });
    await out.write(`${neutralise(model)}: ${line}\n`);
  }
}

/** `ID`, `ID@7`, `ID@7..9`, `ID@7..`, `ID@..9` */
function rangeIn({ invocation, terminal }: Start): Range {
  const [written = "", ...more] = invocation.operands;
  const form = /^([\w-]+)(?:@(?:(\d+)|(\d*)\.\.(\d*)))?$/.exec(written);
  const [, id, only, from, to] = form ?? [];
  if (id === undefined || more.length > 0) {
    const { usage, show: words } = terminal.words;
    throw new PawlError("usage", usage.operand("show", words.needsId));
  }
  if (only !== undefined) return { id, from: Number(only), to: Number(only) };
  const range = { id, from: Number(from || 1), to: to ? Number(to) : Infinity };
  if (range.from > range.to) {
    throw new PawlError("usage", terminal.words.show.backwards(range.from, range.to));
  }
  return range;
}

async function* steps(journal: Journal): AsyncGenerator<Step> {
  let before = emptyState;
  for await (const entry of journal.read()) {
    const next = transition(before, entry);
    const illegal = isIllegal(next) ? next.illegal : null;
    const after = isIllegal(next) ? before : next;
    yield { entry, before, after, illegal };
    before = after;
  }
}

type WriteStep = (step: Step) => Promise<void>;

function stepWriter({ invocation, terminal }: Start): WriteStep {
  const { out, words, style } = terminal;
  if (invocation.commandOptions.has("json")) {
    return async ({ entry, before, after, illegal }) => {
      const changes = changesBetween(before, after).filter(isTelling);
      await out.write(jsonLine({ entry, illegal, changes }));
    };
  }
  return async ({ entry, before, after, illegal }) => {
    const time = new Date(entry.at).toISOString().slice(11, 23);
    const head = `${String(entry.seq).padStart(4)}  ${time}  `;
    const sentence = cutLine(explain(entry.fact, before, words), 400);
    await out.write(`${style.out.dim(head)}${sentence}\n`);
    if (illegal !== null)
      await out.write(`      ! ${cutLine(words.show.passedOver(illegal), 300)}\n`);
    for (const change of changesBetween(before, after).filter(isTelling)) {
      await out.write(`      ${style.out.dim(cutLine(written(change), 160))}\n`);
    }
  };
}

/** Every fact moves these two. */
const isTelling = ({ path }: Change): boolean => path !== "seq" && path !== "at";

function written(change: Change): string {
  if ("added" in change) return `${change.path}: + ${change.added.map(brief).join(", ")}`;
  return `${change.path}: ${brief(change.from)} → ${brief(change.to)}`;
}

function brief(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 100 ? `${json.slice(0, 99)}…` : json;
}

function requestWriter({ invocation, terminal }: Start, journal: Journal): WriteStep {
  const read = requestReader((hash) => journal.getBlob(hash));
  const { out } = terminal;
  const asLine = invocation.commandOptions.has("json");
  return async ({ entry, after }) => {
    const { fact } = entry;
    if (fact.type !== "request.started") return;
    const request = await read(after, { tools: fact.tools });
    const ask = { role: "user", blocks: [text(summaryRequest)], seq: after.seq } as const;
    const isTurn = fact.purpose === "turn";
    const whole = {
      seq: entry.seq,
      request: fact.request,
      attempt: fact.attempt,
      ...request,
      ...(isTurn ? {} : { answerSchema: null, messages: [...request.messages, ask] }),
    };
    await out.write(asLine ? jsonLine(whole) : `${neutralise(JSON.stringify(whole, null, 2))}\n`);
  };
}
