/** What a session is made of, and what faces and programs see of it. */
import type {
  AgentModel,
  CallId,
  Command,
  Entry,
  Limits,
  Mode,
  Policy,
  Refusal,
  State,
  ThinkingLevel,
  Usage,
} from "#core";
import type {
  AnyTool,
  CheckAnswer,
  Clock,
  CrashPoint,
  Entropy,
  Journal,
  ModelClient,
  Section,
  Spool,
  TakeImage,
} from "./ports.ts";

/** Shown while it happens, never journaled. */
export type Signal =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** The model has begun to write a call of this tool. */
  | { readonly type: "call"; readonly tool: string }
  /** What streamed so far counts for nothing: the reply begins anew. */
  | { readonly type: "restart" }
  /** Output of a running call. */
  | { readonly type: "progress"; readonly call: CallId; readonly text: string };

export type FeedItem =
  /** First item, and again after an overflow: everything up to `state.seq` is in it. */
  | { readonly type: "snapshot"; readonly state: State }
  /** `state` is what holds after the fact. */
  | { readonly type: "fact"; readonly entry: Entry; readonly state: State }
  | { readonly type: "signal"; readonly signal: Signal }
  /** Signals were dropped because the reader was slow. */
  | { readonly type: "gap" };

export interface Session {
  readonly id: State["sessionId"];
  /** The latest state that is on disk. */
  readonly state: State;
  /** What the last process left open, as it was found when the journal was opened; null for a new session. */
  readonly found: Found | null;
  /** Resolves when the command's facts are on disk, or with the reason it was refused. */
  send(command: Command): Promise<{ readonly seq: number } | Refusal>;
  /** Each reader has its own bounded queue. Ends when the session closes. */
  feed(): AsyncIterable<FeedItem>;
  /**
   * Resolves when nothing is in flight but a person's answer and background jobs: the run has stopped, or every
   * open call waits for an answer (`waiting`).
   * @throws PawlError `journal_failed` when the journal could not be written
   */
  settled(): Promise<{ readonly state: State; readonly waiting: boolean }>;
  /** Ends what runs (as an interrupt `now` would, without recording one), waits for it, gives the lease back. */
  close(): Promise<void>;
}

/** What a journal said when it was opened. */
export interface Found {
  readonly state: State;
  /** The run had not come to an end. */
  readonly running: boolean;
  /** Calls that were started and have no recorded end. */
  readonly lostCalls: readonly CallId[];
  readonly lostRequest: boolean;
  /**
   * Facts on disk that no longer fit, because a line before them was damaged. What really happened in them is not in
   * the state, so nothing under way is taken up again by itself.
   */
  readonly refused: number;
}

/** What the session should run with now; differences from the journal become an `agent.changed` fact. */
export interface AgentParts extends AgentModel {
  /** Asked for the rest of a prompt when the model itself cannot be had. */
  readonly fallback: AgentModel | null;
  readonly mode: Mode;
  readonly limits: Limits;
  /** null = as the model does by itself. */
  readonly thinking: ThinkingLevel | null;
  readonly sections: readonly Section[];
}

export interface SessionParts {
  readonly journal: Journal;
  readonly spool: Spool;
  /** The client for `provider/model`. @throws PawlError `unknown_model` */
  model(ref: string): ModelClient;
  readonly tools: readonly AnyTool[];
  readonly checkAnswer: CheckAnswer;
  readonly agent: AgentParts;
  /** The rules that hold now; the mode comes from the state. */
  policy(mode: Mode): Policy;
  /** null = price unknown. */
  costUsd(model: string, usage: Usage): number | null;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Folder for the run folders of commands. */
  readonly runsDir: string;
  readonly gitHead: string | null;
  /** `pawl/1.2.3`. */
  readonly program: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly crash?: CrashPoint;
  /** Every image passes here on its way into the journal. Default: as it is. */
  readonly takeImage?: TakeImage;
  /** What `lookInto` has said of this journal since it was opened, so that it is not read and folded again. */
  readonly found?: Found;
  readonly parent?: State["parent"];
}
