import { blockTags } from "./tags.ts";

/** How a call, or a thought, begins in a reply. */
export interface Opener {
  /** `block`: tags of ours; `bare`: an invoke tag without the block around it; `json`: `<tool_call>` with JSON in it. */
  readonly kind: "block" | "bare" | "json" | "think";
  /** What ends it; null: the first thing that is no call. */
  readonly end: string | null;
  /** Characters of the opening itself. */
  readonly length: number;
}

/**
 * Whether something opens at this `<`. `maybe`: more text must come; `begun`: so it is, and it is surely no prose.
 * A block tag alone opens nothing: prose may mention one.
 */
export function openerAt(
  text: string,
  at: number,
  where: { readonly isLineStart: boolean; readonly isReplyStart: boolean },
): Opener | "maybe" | "begun" | null {
  const forms = [
    ...(where.isReplyStart ? [think] : []),
    ...blocks,
    ...(where.isLineStart ? [bare] : []),
    json,
  ];
  const found = forms.map((form) => ({ form, end: follows(text, at, form.parts) }));
  const whole = found.find(({ end }) => typeof end === "number");
  if (whole !== undefined) {
    const { kind, end, parts } = whole.form;
    return { kind, end, length: kind === "bare" ? 0 : (parts[0]?.length ?? 0) };
  }
  if (found.some(({ end }) => end === "begun")) return "begun";
  return found.some(({ end }) => end === "maybe") ? "maybe" : null;
}

interface Form extends Pick<Opener, "kind" | "end"> {
  /** Texts in order, white space between them; what follows the first only proves that it is meant. */
  readonly parts: readonly string[];
}

const think: Form = { kind: "think", end: "</think>", parts: ["<think>"] };
const bare: Form = { kind: "bare", end: null, parts: ["<invoke", "name"] };
const json: Form = { kind: "json", end: "</tool_call>", parts: ["<tool_call>", "{"] };
const blocks: readonly Form[] = blockTags.map((tag) => ({
  kind: "block",
  end: `</${tag}>`,
  parts: [`<${tag}>`, "<invoke", "name"],
}));

/** Where the parts end; `maybe` when the text ends within the first, `begun` within a later one; null when they do not fit. */
function follows(
  text: string,
  from: number,
  parts: readonly string[],
): number | "maybe" | "begun" | null {
  let at = from;
  for (const [index, part] of parts.entries()) {
    const isNear = (): boolean => at - from <= longestOpening;
    if (index > 0) while (at < text.length && isNear() && isSpace(text, at)) at += 1;
    if (!isNear()) return null;
    const there = text.slice(at, at + part.length);
    if (there !== part) {
      const mayFollow = at + there.length === text.length && part.startsWith(there);
      return mayFollow ? (index > 0 ? "begun" : "maybe") : null;
    }
    at += part.length;
    if (part === "<invoke" && at < text.length && !isSpace(text, at)) return null;
  }
  return at;
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text[at] ?? "");

/** More white space than this between two tags is no call. */
const longestOpening = 1000;
