import {
  type CallId,
  type Command,
  type Entry,
  type Image,
  type JsonObject,
  isRunning,
  openCalls,
  PawlError,
  resultOfRun,
  type State,
  type Text,
  text,
} from "#core";
import type { Signal } from "#runtime";
import { type Words, wordsFor } from "#i18n";
import { answerSchemaOf } from "./answer-schema.ts";
import { openSession } from "./compose.ts";
import { loadSettings, rulesFromFlags } from "./config/index.ts";
import { follow } from "./follow.ts";
import type { OpenedSession } from "./opened.ts";
import { answersByRule } from "./questions.ts";
import { type ResultObject, resultObject } from "./result-object.ts";
import { checkOptions, folderOf, type SessionOptions, settingsOf } from "./session-options.ts";

export type { ResultObject } from "./result-object.ts";
export type { Answer, Question, SessionOptions } from "./session-options.ts";
export type { Entry, JsonObject, Limits, Mode, ThinkingLevel } from "#core";
export type { AnyTool, Signal } from "#runtime";
export { isPawlError, PawlError } from "#core";

export interface RunOptions {
  /**
   * The answer must be JSON that fits this JSON Schema: `structured` of the result. One that does not is asked for
   * again, three times at most; then the outcome is `failed`. Counts for this prompt, also when another process goes on
   * with it.
   */
  readonly answerSchema?: JsonObject;
}

/** A part of a prompt. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string }
  /** PNG, JPEG, GIF or WebP: its bytes, or their base64. */
  | { readonly type: "image"; readonly data: Uint8Array | string };

export type RunItem =
  /** One journal line: it is on disk. */
  | { readonly type: "fact"; readonly entry: Entry }
  /** Streaming text and progress: shown, never kept. */
  | { readonly type: "signal"; readonly signal: Signal }
  /** The last item of a run. */
  | ResultObject;

export interface AgentSession extends AsyncDisposable {
  readonly id: string;
  /**
   * Sends a prompt and gives what happens, ending with the result. Leaving the loop early stops watching, not the
   * run: that is `interrupt`.
   * @param prompt text, or texts and images; null = go on with what an earlier process left, or after a limit, a failure, an interrupt
   * @throws PawlError `refused`, `journal_failed`, `schema_invalid`
   */
  run(prompt: string | readonly PromptPart[] | null, options?: RunOptions): AsyncIterable<RunItem>;
  /** Stops what runs; it ends with a recorded outcome. */
  interrupt(): Promise<void>;
  /** Ends the work of this process; the session can be resumed. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a session that programs drive (contract, section 6). User settings and policy count as on the command line.
 * @throws PawlError for options and settings that cannot be used
 */
export async function createSession(options: SessionOptions = {}): Promise<AgentSession> {
  const words = await wordsFor("en");
  checkOptions(options, words);
  const environment = options.environment ?? process.env;
  const ownTools = options.tools ?? [];
  const ruleTexts = { words, ownTools: ownTools.map(({ name }) => name) };
  const startedIn = await folderOf(options.cwd ?? process.cwd(), words);
  const settings = await loadSettings({
    environment,
    cwd: startedIn,
    words,
    flags: settingsOf(options),
    rules: (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      rulesFromFlags(options.permissions?.[verdict] ?? [], verdict, ruleTexts),
    ),
  });
  const opened = await openSession({
    settings,
    cwd: startedIn,
    startedIn,
    cwdIsChosen: options.cwd !== undefined,
    which: options.resume === undefined ? { at: "new" } : { at: "resume", id: options.resume },
    baseUrl: options.baseUrl ?? null,
    fallback: options.fallbackModel ?? null,
    addDirs: options.addDirs ?? [],
    worktree: null,
    ownTools,
    questions: options.onQuestion ? "person" : "deny",
  });
  // Each run goes on where the one before stopped watching.
  const progress = { nextSeq: opened.firstSeq };
  return {
    id: opened.session.id,
    run: (prompt, { answerSchema } = {}) =>
      run(opened, prompt, {
        onQuestion: options.onQuestion ?? null,
        answerSchema: answerSchema ?? null,
        words,
        progress,
      }),
    async interrupt() {
      await opened.session.send({ type: "interrupt", now: true });
    },
    close: () => opened.close(),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}

interface Running {
  readonly onQuestion: SessionOptions["onQuestion"] | null;
  readonly answerSchema: JsonObject | null;
  readonly words: Words;
  readonly progress: { nextSeq: number };
}

async function* run(
  opened: OpenedSession,
  prompt: string | readonly PromptPart[] | null,
  { onQuestion, answerSchema, words, progress }: Running,
): AsyncGenerator<RunItem> {
  const { session } = opened;
  const schema = answerSchema === null ? null : await answerSchemaOf(answerSchema, words);
  for (const answer of answersByRule(session.state, opened.policy())) await session.send(answer);
  await begin(opened, prompt === null ? null : promptOf(prompt, schema));
  const answered = new Set<CallId>();
  for await (const item of follow(opened, progress.nextSeq)) {
    if (item.type === "signal") {
      yield item;
      continue;
    }
    const { entry, state } = item;
    progress.nextSeq = entry.seq + 1;
    yield { type: "fact", entry };
    if (onQuestion) answerQuestions({ opened, onQuestion, answered }, state);
    if (entry.seq === state.seq && isOver(state)) break;
  }
  const { state } = await session.settled();
  const result = resultOfRun(state);
  yield resultObject(state, result, opened);
}

const promptOf = (
  prompt: string | readonly PromptPart[],
  answerSchema: string | null,
): Command => ({
  type: "prompt",
  blocks: typeof prompt === "string" ? [text(prompt)] : prompt.map(blockOf),
  ...(answerSchema === null ? {} : { answerSchema }),
});

/** What kind of image it is its bytes say. */
function blockOf(part: PromptPart): Text | Image {
  if (part.type === "text") return text(part.text);
  const { data } = part;
  const base64 = typeof data === "string" ? data : Buffer.from(data).toString("base64");
  return { type: "image", mediaType: "image/*", data: base64 };
}

async function begin({ session }: OpenedSession, prompt: Command | null): Promise<void> {
  if (prompt === null && isRunning(session.state)) return;
  const sent = await session.send(prompt ?? { type: "continue" });
  if ("refused" in sent) throw new PawlError("refused", sent.message);
}

const isOver = (state: State): boolean => !isRunning(state) && state.inbox.length === 0;

interface Asking {
  readonly opened: OpenedSession;
  readonly onQuestion: NonNullable<SessionOptions["onQuestion"]>;
  readonly answered: Set<CallId>;
}

/** Each question once; the run goes on meanwhile. */
function answerQuestions({ opened, onQuestion, answered }: Asking, state: State): void {
  for (const { id, tool, input, status } of openCalls(state)) {
    if (status.at !== "asked" || answered.has(id)) continue;
    answered.add(id);
    const answer = async (): Promise<void> => {
      const question = { call: id, tool, input: await opened.whole(input), reason: status.reason };
      const { verdict, scope = "once", reason = "" } = await onQuestion(question);
      await opened.session.send({ type: "answer", call: id, verdict, scope, reason });
    };
    answer().catch((error: unknown) => {
      // No answer is a no; a session that can no longer be written ends the run by itself.
      const reason = error instanceof Error ? error.message : String(error);
      const denial = { type: "answer", call: id, verdict: "deny", scope: "once", reason } as const;
      opened.session.send(denial).catch(() => {});
    });
  }
}
