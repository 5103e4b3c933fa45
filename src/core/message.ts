import type { CallId, Hash } from "./id.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * Why a reply ended, in one vocabulary for every provider; the provider's own label stays beside it.
 * A reply that never ended has no stop reason: it is a failure (`truncated`, `server`, …).
 */
export type StopReason =
  | "end_turn"
  | "stop_sequence"
  | "tool_use"
  | "max_tokens"
  | "pause_turn"
  | "refusal"
  | "content_filter"
  | "context_window"
  | "unknown";

export interface Stop {
  readonly reason: StopReason;
  /** The label as the provider wrote it; null when it sent none. */
  readonly raw: string | null;
}

/** A long string kept outside the journal line (over 64 kB). Core passes it on and never reads it. */
export interface BlobRef {
  readonly blob: Hash;
  readonly bytes: number;
}
export type LongText = string | BlobRef;

/** Data only its provider understands: goes back to that provider unchanged, to others never. */
export interface Opaque {
  readonly provider: string;
  readonly data: Json;
}

export interface Text {
  readonly type: "text";
  readonly text: LongText;
  /** Citations and the like. */
  readonly opaque?: Opaque;
}

export interface Image {
  readonly type: "image";
  readonly mediaType: string;
  /** Base64, or the blob that holds it. */
  readonly data: LongText;
}

export interface Thinking {
  readonly type: "thinking";
  readonly text: LongText;
  /** The signature. */
  readonly opaque?: Opaque;
}

/** A call as the wire gives it, before core has named it. */
export interface WireCall {
  readonly type: "tool_use";
  /** The provider's id; null when it sent none. */
  readonly wireId: string | null;
  readonly tool: string;
  readonly input: JsonObject;
  /** Why the arguments cannot be used ("not valid JSON", "not an object"); null when they can. */
  readonly problem: string | null;
  /** Raw arguments when `problem` is set. */
  readonly inputText: LongText | null;
  /** The wire itself marked the end of this call. */
  readonly complete: boolean;
  readonly opaque?: Opaque;
}

export interface ToolUse extends WireCall {
  readonly call: CallId;
}

export interface ToolResult {
  readonly type: "tool_result";
  readonly call: CallId;
  readonly content: readonly (Text | Image)[];
  readonly isError: boolean;
}

/** A whole block only its provider understands (redacted thinking, server tools, unknown types). */
export interface OpaqueBlock extends Opaque {
  readonly type: "opaque";
}

export type ReplyBlock = Text | Thinking | WireCall | OpaqueBlock;
export type AssistantBlock = Text | Thinking | ToolUse | OpaqueBlock;
export type UserBlock = Text | Image | ToolResult;
export type Block = AssistantBlock | UserBlock;

export interface UserMessage {
  readonly role: "user";
  readonly blocks: readonly UserBlock[];
  /** The fact that completed this message. */
  readonly seq: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  /** `provider/model` that wrote it: decides who gets its opaque data back. */
  readonly model: string;
  readonly blocks: readonly AssistantBlock[];
  readonly seq: number;
  /** True for the text of a reply that was interrupted. */
  readonly partial: boolean;
}

export type Message = UserMessage | AssistantMessage;

/** Tokens of one reply. `input` counts uncached input only, as most providers bill it. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

export const totalTokens = (usage: Usage): number =>
  usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

export const text = (content: LongText): Text => ({ type: "text", text: content });

export const isBlank = (content: LongText): boolean =>
  typeof content === "string" && content.trim() === "";

/** The readable text of some blocks, joined; blob references are left out. */
export function plainText(blocks: readonly (Block | ReplyBlock)[]): string {
  return blocks
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("");
}
