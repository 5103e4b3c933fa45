import { trouble, type Trouble } from "../../workspace/index.ts";

// A model that is tired of copying writes "… rest of the code unchanged …" instead of the code. Taken literally,
// that deletes the code.

const comment = String.raw`(?:\/\/|\/\*|#|--|<!--|;|%|\{\/\*)`;
const dots = String.raw`(?:\.{3,}|…)`;
const what = String.raw`(?:existing|rest|remaining|unchanged|previous|other|same|keep)`;
const placeholder = new RegExp(
  String.raw`^\s*${comment}?\s*(?:${dots}\s*\(?\b${what}\b[^.…]{0,60}\)?(?:${dots}|unchanged\)?)|\(?\b(?:existing|rest of|remaining) (?:the )?(?:code|file|function|method|content|implementation|imports|lines|class)\b[^.…]{0,40}${dots})\s*(?:\*\/\}?|-->)?\s*$`,
  "iu",
);

/** The line of a new text that stands for text left out, unless the old text has the same line; null without one. */
export function omissionIn(newText: string, oldText: string): string | null {
  if (!/\.{3}|…/.test(newText)) return null;
  const lines = newText.split("\n").map((line) => line.trim());
  return lines.find((line) => placeholder.test(line) && !oldText.includes(line)) ?? null;
}

export const omissionTrouble = (shown: string, line: string): Trouble =>
  trouble(
    "omission_placeholder",
    `The new text for ${shown} has the line \`${line.slice(0, 120)}\`, which stands for text left out; nothing was ` +
      "changed. Write the text itself, or change only the part that differs with edit.",
  );
