import type { CallId, InputId } from "./id.ts";
import type { JsonObject } from "./json.ts";
import type { Image, LongText, Text } from "./message.ts";
import type { Stamp } from "./call.ts";
import type { Agent } from "./event.ts";
import type { Decision } from "./permission.ts";

/** What a person or program asks of a session. */
export type Command =
  | {
      readonly type: "prompt";
      readonly blocks: readonly (Text | Image)[];
      /** JSON Schema, as JSON text, that the answer must fit. */
      readonly answerSchema?: LongText;
    }
  /** Goes on after a limit, a failure, an interrupt or a cut answer. */
  | { readonly type: "continue" }
  | { readonly type: "withdraw"; readonly inputs: readonly InputId[] }
  /** `now: false` lets what runs finish; `now: true` stops it. */
  | { readonly type: "interrupt"; readonly now: boolean }
  | {
      readonly type: "answer";
      readonly call: CallId;
      readonly verdict: "allow" | "deny";
      readonly scope: "once" | "session";
      readonly reason: string;
      readonly edited?: { readonly input: JsonObject; readonly stamp: Stamp };
    }
  /** What the rules of today say of a question that was asked under others. */
  | { readonly type: "judge"; readonly call: CallId; readonly decision: Decision }
  | { readonly type: "compact" }
  | { readonly type: "change_agent"; readonly agent: Partial<Agent> };

/** Why a command was not accepted: a stable code and one sentence. */
export interface Refusal {
  readonly refused: RefusalCode;
  readonly message: string;
}

export type RefusalCode =
  | "empty_prompt"
  | "nothing_to_stop"
  | "nothing_to_continue"
  | "no_such_question"
  | "still_a_question"
  | "no_such_input"
  | "busy";
