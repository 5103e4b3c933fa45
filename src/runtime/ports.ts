/** The ports: what the runtime needs of the world. Adapters implement them, tests fake them. */
import type {
  Access,
  CallId,
  Entry,
  EpochMs,
  Failure,
  Hash,
  Image,
  Json,
  JsonObject,
  Message,
  ProbeVerdict,
  Recovery,
  ReplyBlock,
  SessionId,
  Stamped,
  Stop,
  ThinkingLevel,
  ToolEnd,
  Trace,
  Usage,
} from "#core";

// --- models -------------------------------------------------------------------------------------

/** A tool as the model sees it. `inputSchema` is JSON Schema of an object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** One part of the system prompt. Parts that are not `stable` come last, so that caches hold the rest. */
export interface Section {
  readonly name: string;
  readonly text: string;
  readonly stable: boolean;
}

/** Everything one model call needs; all long texts are whole (no blob references). */
export interface ModelRequest {
  /** `provider/model`. */
  readonly model: string;
  readonly system: readonly Section[];
  readonly tools: readonly ToolSpec[];
  /** `none`: the tool list is sent unchanged, but no call is allowed. */
  readonly toolChoice: "auto" | "none";
  /**
   * May hold several user messages in a row; adapters merge them. The same message is the same object in
   * later requests, so an adapter may keep its serialised form by identity.
   */
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
  /** Left out or null: as the model does by itself. A model that cannot is asked as if nothing were said. */
  readonly thinking?: ThinkingLevel | null;
  /**
   * The form of the answer. It stands in the messages already; a wire that can hold the model to it while tools are
   * on offer does so as well.
   */
  readonly answerSchema?: JsonObject | null;
}

export interface Reply {
  /** The model that really answered, as the provider names it. */
  readonly model: string;
  readonly blocks: readonly ReplyBlock[];
  readonly stop: Stop;
  readonly usage: Usage;
  /** Oddities worth a line to the user (a label that does not fit the content, a dropped frame). */
  readonly warnings: readonly string[];
}

export type ModelChunk =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** A call has begun; its arguments follow. For display only. */
  | { readonly type: "call"; readonly tool: string }
  /** A block is complete. `index` counts the calls of this reply from 0, null for other blocks. */
  | { readonly type: "block"; readonly index: number | null; readonly block: ReplyBlock }
  /** The server began the reply anew: everything before counts for nothing. */
  | { readonly type: "restart" }
  | { readonly type: "end"; readonly reply: Reply }
  | {
      readonly type: "failure";
      readonly failure: Failure;
      /** Blocks as far as they had come, unfinished ones included. */
      readonly blocks: readonly ReplyBlock[];
      readonly usage: Usage | null;
    };

/** One provider wire. Trouble arrives as the last chunk, never as a throw; adapters never retry. */
export interface ModelClient {
  /**
   * This request will be streamed unless its fact cannot be written. What can be made ready may be, while the disk is
   * busy with that fact; nothing leaves this machine. Must not throw.
   */
  prepare?(request: ModelRequest): void;
  stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelChunk>;
}

// --- tools --------------------------------------------------------------------------------------

export interface Need {
  readonly access: Access;
  /** Real, absolute paths for file tools; the command for shells; the URL for requests. */
  readonly resources: readonly string[];
}

/** What a tool may use of the world. Owned by the session. */
export interface ToolEnv {
  /** Real path of the folder the session works in. */
  readonly cwd: string;
  /** Real paths of the folders that may be written in; `cwd` is the first. */
  readonly roots: readonly string[];
  /** Folder for run folders of commands: `runs/` of the session. */
  readonly runsDir: string;
  /** Keeps bytes beside the journal, synced; same bytes, same hash. */
  putBlob(bytes: Uint8Array): Promise<Hash>;
  getBlob(hash: Hash): Promise<Uint8Array>;
  /** What an earlier call of this session left under a name (`ToolEnd.docs`). */
  doc(name: string): Json | undefined;
  readonly clock: Clock;
}

export interface ToolContext<Intent> extends ToolEnv {
  readonly call: CallId;
  readonly attempt: number;
  readonly intent: Intent;
  /** What permission judged, as `need` said it then. A tool whose target has moved since ends with an error. */
  readonly judged: Need;
  /**
   * What a rule denies or asks about, by its real path: a tool that looks through folders leaves such a file out, its
   * name too, and says how many.
   */
  readonly isHidden: (path: string) => boolean;
  /** Aborts with the reason `timeout` or `interrupt`; the tool then ends within 2 s with what it has. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Shows a piece of output while the tool runs; never journaled. */
  progress(text: string): void;
}

export interface Probe {
  readonly verdict: ProbeVerdict;
  /** One sentence for people and the model: what was looked at and seen. */
  readonly evidence: string;
  /** The same as data, where core has words for it. */
  readonly traces?: readonly Trace[];
  /** The end, when the verdict is `happened`, or what is known of it when `undetermined`. */
  readonly end: ToolEnd | null;
}

export interface Tool<Input = JsonObject, Intent extends Json = Json> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Reads the arguments; a string says what is wrong with them and what is right. */
  parse(input: JsonObject): Input | string;
  readonly recovery: Recovery;
  timeoutMs(input: Input): number;
  /** What permission judges. Resolves real paths afresh each time; must not throw. */
  need(input: Input, env: ToolEnv): Need;
  /** What will hold before and after; journaled before the run. Looks, and changes nothing. */
  plan?(
    input: Input,
    env: ToolEnv & { readonly call: CallId; readonly attempt: number },
  ): Promise<Intent>;
  /** Expected trouble is an end with `error`; a throw is recorded as an error too. */
  run(input: Input, context: ToolContext<Intent>): Promise<ToolEnd>;
  /** For class `probe`: what became of a run whose end was not recorded. */
  probe?(intent: Intent, env: ToolEnv & { readonly call: CallId }): Promise<Probe>;
}

/** A tool whose input and intent types are its own business; made by `defineTool`. */
export type AnyTool = Tool<never, never>;

// --- answers ------------------------------------------------------------------------------------

/**
 * Holds an answer against the JSON Schema it must fit; both are text. Never throws, and ends in a bounded time.
 * Resolves with the part that does not fit and how, as a sentence for the model; null when all of it does.
 */
export type CheckAnswer = (answer: string, schema: string) => Promise<string | null>;

// --- images -------------------------------------------------------------------------------------

/** What becomes of an image before it is recorded. */
export type TakenImage =
  /** `note` tells the model what was changed; null when nothing was. */
  | { readonly at: "taken"; readonly image: Image; readonly note: string | null }
  /** It cannot be sent to any model; `why` is to stand behind a colon. */
  | { readonly at: "left_out"; readonly why: string };

/** Makes an image fit for every model. Taking in what was taken in already changes nothing. Must not throw. */
export type TakeImage = (image: Image) => Promise<TakenImage>;

// --- the journal --------------------------------------------------------------------------------

/** Something wrong that was found and dealt with while a journal was opened. */
export interface Damage {
  readonly kind: "torn_tail" | "bad_line" | "broken_chain" | "emptied";
  /** 1-based line, 0 when it is not a line. */
  readonly line: number;
  readonly message: string;
}

export interface Journal {
  readonly id: SessionId;
  /** Folder of the session; null in memory. */
  readonly folder: string | null;
  readonly damage: readonly Damage[];
  /** Number of the last entry, 0 when empty. */
  readonly seq: number;
  /**
   * Writes the facts as the next entries; resolves when they are on disk (fdatasync). All or none.
   * @throws PawlError `journal_failed` (nothing was kept), `invalid_fact`, `journal_read_only`, `journal_closed`
   */
  append(facts: readonly Stamped[]): Promise<readonly Entry[]>;
  /** Entries in order, from `fromSeq` (1-based) on. */
  read(fromSeq?: number): AsyncIterable<Entry>;
  /** On disk when it resolves. @throws PawlError `journal_failed`, `journal_read_only`, `journal_closed` */
  putBlob(bytes: Uint8Array): Promise<Hash>;
  /** @throws PawlError `blob_missing`, also when its bytes are not what they were */
  getBlob(hash: Hash): Promise<Uint8Array>;
  /** Gives the lease back. Idempotent. */
  close(): Promise<void>;
}

export interface SessionInfo {
  readonly id: SessionId;
  readonly cwd: string;
  readonly folder: string | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly bytes: number;
  /** First prompt, cut to one line; empty when there is none yet. */
  readonly title: string;
  /** A live writer holds it. */
  readonly inUse: boolean;
}

export interface Store {
  /**
   * A new, empty journal, opened for writing.
   * @throws PawlError `session_exists`, `invalid_session_id`, `journal_failed`, `network_file_system`
   */
  create(options: { readonly id: SessionId; readonly cwd: string }): Promise<Journal>;
  /**
   * @throws PawlError `session_not_found`, `journal_locked` (another writer lives), `journal_newer` (format of a
   * later version), `journal_unreadable`
   */
  open(id: SessionId, mode: "writer" | "reader"): Promise<Journal>;
  /**
   * A new journal that starts with the entries of another up to `seq`, byte for byte, opened for writing.
   * @throws PawlError `session_not_found`, `seq_not_found`, and what `create` throws
   */
  fork(
    source: { readonly id: SessionId; readonly seq: number },
    target: { readonly id: SessionId; readonly cwd: string },
  ): Promise<Journal>;
  /** Newest first. `cwd`: only sessions of that folder (real path). */
  list(options?: { readonly cwd?: string }): Promise<readonly SessionInfo[]>;
  /** @throws PawlError `session_in_use`, `session_not_found` */
  remove(id: SessionId): Promise<void>;
}

/** Raw deltas of the reply that streams, kept until its fact is on disk; lost when the machine dies. */
export interface Spool {
  write(delta: string): void;
  /** What the last process left, then empties it. */
  take(): Promise<string>;
  clear(): void;
  close(): Promise<void>;
}

// --- the machine --------------------------------------------------------------------------------

export interface Clock {
  now(): EpochMs;
  /** Never goes back; stands still for no one. */
  monotonicMs(): number;
  /** Resolves early, without an error, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Randomness, for ids and jitter. */
export interface Entropy {
  sessionId(): SessionId;
  /** 0 … 1 */
  jitter(): number;
}

/** Named places where a test may kill the process. Does nothing outside tests. */
export type CrashPoint = (name: string) => void;
