import { text, type EffectReport, type ToolEnd } from "#core";
import type { Trouble } from "../../workspace/index.ts";
import { capText } from "./cap-text.ts";

/** A run that did what it was asked to. */
export const done = (said: string, effects: readonly EffectReport[] = []): ToolEnd => ({
  outcome: "ok",
  content: [text(said.toWellFormed())],
  effects,
});

/** A run that could not do it; the message says what happened, what did not, and what to do next. */
export const failed = ({ message }: Pick<Trouble, "message">): ToolEnd => ({
  outcome: "error",
  content: [text(capText(message.toWellFormed(), "The message was too long."))],
  effects: [],
});

/** A run that was told to stop; `kept` is what it has so far. */
export function stopped(signal: AbortSignal, kept: string): ToolEnd {
  const outcome = signal.reason === "timeout" ? "timeout" : "interrupted";
  return { outcome, content: [text(kept.toWellFormed())], effects: [] };
}

/** Sizes for people: `812 bytes`, `3.1 kB`, `2.0 GB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** `line 4`, `lines 4-9`. */
export const linesOf = ([from, to]: readonly [from: number, to: number]): string =>
  from === to ? `line ${from}` : `lines ${from}-${to}`;

/** `1 file`, `3 files`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
