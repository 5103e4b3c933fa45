import { plainText, type ReplyBlock, type Stop, type Text, type WireCall } from "#core";
import type { ToolSpec } from "#runtime";
import { wholeText } from "../shared/outgoing.ts";
import { withFault } from "./open-call.ts";
import { textReader, type Found } from "./reader.ts";

/** The blocks of a reply, the calls in its text read out of it. */
interface ReadReply {
  readonly blocks: readonly ReplyBlock[];
  readonly warnings: readonly string[];
}

/**
 * Reads the whole text of a reply again: what the wire says of its blocks at the end (their order, what is opaque in
 * them) is known only then. A reply in which no call is found stays as it is.
 */
export function readReply(
  blocks: readonly ReplyBlock[],
  options: { readonly tools: readonly ToolSpec[]; readonly is: "whole" | "cut" },
): ReadReply {
  const reader = textReader(options.tools);
  const made: Made[] = [];
  let source: Text | null = null;
  const add = (found: readonly Found[]): void => {
    for (const one of found) addTo(made, one, source);
  };
  for (const block of blocks) {
    if (block.type === "text") {
      source = block;
      add(reader.push(wholeText(block.text)));
    } else made.push({ block, source: null });
  }
  const { found, ignored, fault } = reader.end(options.is);
  add(found);
  // Every call and every thought leaves its tags out of the text.
  if (plainText(made.map(({ block }) => block)) === plainText(blocks)) {
    return { blocks, warnings: quotedWarning(blocks, options.tools) };
  }
  const read = made.map(({ block, source: from }) =>
    block.type === "text" && block.text === from?.text ? from : block,
  );
  const last = read.findLastIndex((block) => block.type === "tool_use");
  return {
    blocks:
      fault === null ? read : read.map((block, index) => flagged(block, index === last, fault)),
    warnings: [...ignoredWarning(ignored), ...quotedWarning(read, options.tools)],
  };
}

/** A block, and the one of the wire that its text comes from. */
interface Made {
  block: ReplyBlock;
  readonly source: Text | null;
}

function addTo(made: Made[], found: Found, source: Text | null): void {
  const last = made.at(-1);
  switch (found.type) {
    case "begun":
      return;
    case "call":
      made.push({ block: found.call, source });
      return;
    case "text":
    case "thinking":
      if (
        last?.block.type === found.type &&
        (found.type === "thinking" || last.source === source)
      ) {
        last.block = { ...last.block, text: wholeText(last.block.text) + found.text };
      } else made.push({ block: { type: found.type, text: found.text }, source });
      return;
    default:
      found satisfies never;
  }
}

const flagged = (block: ReplyBlock, isIt: boolean, fault: string): ReplyBlock =>
  isIt && block.type === "tool_use" ? withFault(block, fault) : block;

const ignoredWarning = (characters: number): readonly string[] =>
  characters === 0
    ? []
    : [
        `the model went on behind its calls, where only their results can stand: ${characters} characters were ignored`,
      ];

/** A model that wraps its calls in code says nothing that can be run: the user should know why nothing happens. */
function quotedWarning(
  blocks: readonly ReplyBlock[],
  tools: readonly ToolSpec[],
): readonly string[] {
  if (blocks.some((block) => block.type === "tool_use")) return [];
  const said = blocks.flatMap((block) => (block.type === "text" ? [wholeText(block.text)] : []));
  const quoted = said
    .flatMap((text) => [...text.matchAll(/<invoke\s+name\s*=\s*["']([^"']+)["']/g)])
    .find(([, name]) => tools.some((tool) => tool.name === name));
  return quoted === undefined
    ? []
    : [`the reply shows a call of ${quoted[1]} among its text or code; it was not run`];
}

export const callsIn = (blocks: readonly ReplyBlock[]): readonly WireCall[] =>
  blocks.filter((block) => block.type === "tool_use");

/** The wire below sees a text that ended; with calls in it, it ended for them. */
export function stopOf(stop: Stop, blocks: readonly ReplyBlock[]): Stop {
  const isPlain = stop.reason === "end_turn" || stop.reason === "stop_sequence";
  return isPlain && callsIn(blocks).length > 0 ? { ...stop, reason: "tool_use" } : stop;
}

/** Reasons with which a model ends its reply by itself. */
export const isEndedByModel = ({ reason }: Stop): boolean =>
  reason === "end_turn" || reason === "stop_sequence" || reason === "tool_use";
