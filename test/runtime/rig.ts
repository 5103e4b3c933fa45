import {
  defaultLimits,
  sessionId,
  text,
  type Entry,
  type Fact,
  type JsonObject,
  type Limits,
  type Mode,
  type Policy,
  type ReplyBlock,
  type State,
  type StopReason,
  type ToolEnd,
  type WireCall,
} from "#core";
import { memoryStore } from "#adapters/stores";
import {
  startSession,
  type AnyTool,
  type CheckAnswer,
  type FeedItem,
  type Journal,
  type ModelChunk,
  type ModelRequest,
  type Need,
  type Session,
  type SessionParts,
  type Spool,
  type Tool,
} from "#runtime";
import { fakeClock, type FakeClock } from "#testing";

/** A session on the in-memory store, a model that says what it is told, and tools that do what they are told. */
export interface Rig {
  readonly parts: SessionParts;
  readonly clock: FakeClock;
  /** Requests the model got, in order. */
  readonly requests: readonly ModelRequest[];
  start(): Promise<Session>;
}

export type Turn = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelChunk>;

export interface RigOptions {
  readonly turns: readonly Turn[];
  readonly tools?: readonly AnyTool[];
  readonly checkAnswer?: CheckAnswer;
  readonly mode?: Mode;
  readonly limits?: Partial<Limits>;
  readonly rules?: Policy["rules"];
  readonly journal?: Journal;
  readonly spool?: Spool;
}

export const memory = (): Promise<Journal> =>
  memoryStore({ clock: fakeClock() }).create({ id: sessionId("01TEST"), cwd: "/w" });

export async function rig(options: RigOptions): Promise<Rig> {
  const clock = fakeClock();
  const requests: ModelRequest[] = [];
  const journal = options.journal ?? (await memory());
  const parts: SessionParts = {
    journal,
    spool: options.spool ?? noSpool(),
    model: () => ({
      stream: (request, { signal }) => {
        requests.push(request);
        const turn = options.turns[Math.min(requests.length, options.turns.length) - 1];
        return turn === undefined ? answer("no turn left")(request, signal) : turn(request, signal);
      },
    }),
    tools: options.tools ?? [],
    checkAnswer: options.checkAnswer ?? (async () => null),
    agent: {
      model: "test/model",
      mode: options.mode ?? "bypass",
      limits: { ...defaultLimits, ...options.limits },
      window: null,
      maxOutputTokens: 1000,
      cheapestInputUsd: 0,
      fallback: null,
      thinking: null,
      sections: [{ name: "identity", text: "You are a test.", stable: true }],
    },
    policy: (mode) => ({ mode, rules: options.rules ?? [], roots: ["/w"], questions: "person" }),
    costUsd: () => 0.01,
    cwd: "/w",
    roots: ["/w"],
    runsDir: "/w/runs",
    gitHead: null,
    program: "test",
    clock,
    entropy: { sessionId: () => sessionId("01TEST"), jitter: () => 0.5 },
  };
  return { parts, clock, requests, start: () => startSession(parts) };
}

export function noSpool(partial = ""): Spool {
  return {
    write: () => undefined,
    take: () => Promise.resolve(partial),
    clear: () => undefined,
    close: () => Promise.resolve(),
  };
}

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

export const call = (tool: string, input: JsonObject = {}): WireCall => ({
  type: "tool_use",
  wireId: null,
  tool,
  input,
  problem: null,
  inputText: null,
  complete: true,
});

export const end = (blocks: readonly ReplyBlock[], reason: StopReason): ModelChunk => ({
  type: "end",
  reply: { model: "model", blocks, stop: { reason, raw: reason }, usage, warnings: [] },
});

/** A reply that streams its calls block by block; `pause` runs before the end. */
export const calls = (
  wanted: readonly WireCall[],
  pause: () => Promise<void> = () => Promise.resolve(),
): Turn =>
  async function* () {
    for (const [index, block] of wanted.entries()) yield { type: "block", index, block };
    await pause();
    yield end(wanted, "tool_use");
  };

export const answer = (words: string): Turn =>
  async function* () {
    yield { type: "text", delta: words };
    yield end([text(words)], "end_turn");
  };

export const failure = (
  kind: "server" | "aborted" | "truncated" | "auth",
  blocks: readonly ReplyBlock[] = [],
): ModelChunk => ({
  type: "failure",
  failure: { class: kind, message: `the test says ${kind}`, status: null, retryAfterMs: null },
  blocks,
  usage: null,
});

/** Streams some blocks, then nothing until it is aborted. */
export const hang = (blocks: readonly ReplyBlock[] = []): Turn =>
  async function* (_request, signal) {
    for (const block of blocks) {
      if (block.type === "text" && typeof block.text === "string") {
        yield { type: "text", delta: block.text };
      } else if (block.type === "tool_use") yield { type: "block", index: 0, block };
    }
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    yield failure("aborted", blocks);
  };

export interface FakeTool {
  readonly name: string;
  readonly access?: Need["access"];
  readonly recovery?: Tool["recovery"];
  readonly run?: Tool["run"];
  readonly plan?: Tool["plan"];
  readonly probe?: Tool["probe"];
  readonly timeoutMs?: number;
}

export const ok = (words: string): ToolEnd => ({
  outcome: "ok",
  content: [text(words)],
  effects: [],
});

export const tool = (what: FakeTool): AnyTool => {
  const { name, access = "read", recovery = access === "read" ? "rerun" : "probe" } = what;
  const made: Tool = {
    name,
    description: `${name} for tests`,
    inputSchema: { type: "object" },
    parse: (input) => input,
    recovery,
    timeoutMs: () => what.timeoutMs ?? 120_000,
    need: () => ({ access, resources: access === "exec" ? ["cmd"] : ["/w/file"] }),
    ...(what.plan === undefined ? {} : { plan: what.plan }),
    ...(what.probe === undefined ? {} : { probe: what.probe }),
    run: what.run ?? (() => Promise.resolve(ok(`${name} ran`))),
  };
  return made as AnyTool; // its input is what its own `parse` gives
};

export const prompt = (words: string): { type: "prompt"; blocks: [ReturnType<typeof text>] } => ({
  type: "prompt",
  blocks: [text(words)],
});

export async function facts(journal: Journal): Promise<readonly Fact[]> {
  const entries: Entry[] = [];
  for await (const entry of journal.read()) entries.push(entry);
  return entries.map((entry) => entry.fact);
}

export const types = async (journal: Journal): Promise<readonly string[]> =>
  (await facts(journal)).map((fact) => fact.type);

/** Resolves with the first feed item that passes. */
export async function until(
  session: Session,
  wanted: (item: FeedItem) => boolean,
): Promise<FeedItem> {
  for await (const item of session.feed()) if (wanted(item)) return item;
  throw new Error("the feed ended first");
}

export const untilFact = (session: Session, type: Fact["type"]): Promise<FeedItem> =>
  until(session, (item) => item.type === "fact" && item.entry.fact.type === type);

/** Moves fake time until the session has settled. */
export async function settle(session: Session, clock: FakeClock): Promise<State> {
  let done = false;
  const settled = session.settled().finally(() => {
    done = true;
  });
  while (!done) await clock.advance(1000);
  return (await settled).state;
}

/** The results the model was sent, as plain words, in order. */
export const results = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) =>
    message.role === "user"
      ? message.blocks.flatMap((block) =>
          block.type === "tool_result"
            ? [
                block.content
                  .map((part) =>
                    part.type === "text" && typeof part.text === "string" ? part.text : "other",
                  )
                  .join(""),
              ]
            : [],
        )
      : [],
  );

export const realSleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** An argument as a word. */
export const word = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";
