import { text, type LongText, type Message } from "./message.ts";
import { modelInUse } from "./model-in-use.ts";
import type { Cut, State } from "./state.ts";
import { asSent } from "./withhold.ts";

/** Share of the window left free for the next reply's thinking and for what the estimate misses. */
const margin = 0.05;
/** Messages that stay verbatim whatever their size, where they fit (requirement R55). */
const keptMessages = 50;

/** Compactions in a row without a reply between them; more would be a loop. */
const maxCompactions = 3;

/** A compaction would change the request. Where it would not, the same would only be refused again (field case C13). */
export const canCompact = (state: State): boolean =>
  state.prompt.compactions < maxCompactions && cutPoint(state) > 0;

/** True when the next request would come too near to the window, judged by the provider's own last count. */
export function mustCompact(state: State): boolean {
  const { window, maxOutputTokens } = modelInUse(state);
  if (window === null || !canCompact(state)) return false;
  const reserve = Math.min(maxOutputTokens, window / 4);
  return state.contextTokens > window * (1 - margin) - reserve;
}

/**
 * The conversation as the model sees it: all of it, or, after a cut, the original request verbatim, the note that
 * stands for what was cut, the latest prompt at that time, and the rest; without what its provider has refused.
 * Other messages keep their identity.
 */
export function visible(state: State): readonly Message[] {
  const { withheld } = state;
  const messages = uncut(state);
  return withheld.reasoning + withheld.images === 0
    ? messages
    : messages.map((message) => asSent(message, withheld));
}

function uncut({ cut, messages }: State): readonly Message[] {
  if (cut === null) return messages;
  const prompt = cut.prompt === null ? [] : messages.slice(cut.prompt, cut.prompt + 1);
  return [...messages.slice(0, 1), cut.note, ...prompt, ...messages.slice(cut.from)];
}

/**
 * The cut before this message. It says once and for all what stays, so that requests keep their prefix.
 * @param summary null when there is only room for a notice
 */
export function cutAt(state: State, from: number, summary: LongText | null): Cut {
  const prompt = state.messages.findLastIndex(isPrompt);
  const blocks =
    summary === null
      ? [text("[pawl] Earlier messages were dropped to make room.")]
      : [text("[pawl] Summary of the conversation so far, made to save room:"), text(summary)];
  const note = { role: "user", blocks, seq: state.seq + 1 } as const;
  return { from, prompt: prompt > 0 && prompt < from ? prompt : null, note };
}

const isPrompt = (message: Message): boolean => message.role === "user" && startsCleanly(message);

/**
 * Where to cut: the newest half of the conversation stays, at least the newest messages where that is less than
 * all, and a call is never parted from its result. Returns 0 when nothing can be cut.
 */
export function cutPoint(state: State): number {
  const { messages } = state;
  const first = state.cut?.from ?? 1;
  const wanted = Math.max(
    first + 1,
    messages.length - Math.min(keptMessages, messages.length >> 1),
  );
  for (let index = Math.min(wanted, messages.length - 1); index > first; index -= 1) {
    if (mayCutAt(state, index)) return index;
  }
  return 0;
}

/** 0 cuts nothing; else what stays verbatim begins at this message, and no result stays without its call. */
export function mayCutAt({ messages }: State, index: number): boolean {
  const first = messages[index];
  return index === 0 || (first !== undefined && startsCleanly(first));
}

const startsCleanly = (message: Message): boolean =>
  message.role === "assistant" || message.blocks.every((block) => block.type !== "tool_result");

/** What the model is asked for a summary. */
export const summaryRequest: string =
  "[pawl] The conversation is about to outgrow the context window. Write a summary for yourself that replaces the " +
  "older part. Keep, under these heads: Goal; Constraints and rules the user gave, word for word; Decisions; State " +
  "of files; Tried and failed, with the error; Open steps. Keep exact names, paths, commands and numbers. Call no tool.";
