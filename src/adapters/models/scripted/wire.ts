import type { JsonObject } from "#core";
import { objectOf } from "../shared/json-read.ts";
import type { Frame } from "./frames.ts";
import type { ScriptedTurn } from "./script.ts";

/** What a scripted model must know of a provider's wire to speak it. */
export interface ScriptedWire {
  /** Requests of this wire go to such paths. */
  readonly paths: RegExp;
  /** A turn as the provider streams it. */
  framesOf(turn: ScriptedTurn, where: TurnPlace): readonly Frame[];
  errorFrame(type: string, message: string): Frame;
  /** Body of an HTTP error. */
  errorBody(status: number, message: string): string;
  /** What the provider would refuse about a request body; empty for a good one. */
  requestProblems(body: unknown): readonly string[];
  /** How many replies of a model the request holds: which turn comes next. */
  repliesIn(body: JsonObject): number;
}

export interface TurnPlace {
  /** Number of the turn, from 0: ids are functions of it. */
  readonly index: number;
  readonly model: string;
}

/** Replies in a list of `messages`, as most wires have it. */
export function repliesIn(body: JsonObject): number {
  const messages = body["messages"];
  if (!Array.isArray(messages)) return 0;
  return messages.filter((message) => objectOf(message)?.["role"] === "assistant").length;
}
