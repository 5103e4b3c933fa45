import { text, type Image, type Text } from "#core";

/**
 * Nothing unbounded reaches the model. Tools cap their own output at 30,000 characters and say where the rest is;
 * this is the wall behind them, for tools that do not.
 */
const maxCharacters = 40_000;

export function bounded(content: readonly (Text | Image)[]): readonly (Text | Image)[] {
  let left = maxCharacters;
  return content.map((block) => {
    if (block.type !== "text" || typeof block.text !== "string") return block;
    const room = left;
    left = Math.max(0, left - block.text.length);
    return block.text.length <= room ? block : text(headAndTail(block.text, room));
  });
}

function headAndTail(whole: string, room: number): string {
  const head = cut(whole.slice(0, Math.ceil(room * 0.7)), "end");
  const tail = cut(whole.slice(whole.length - Math.floor(room * 0.3)), "start");
  return `${head}\n[… ${whole.length - head.length - tail.length} of ${whole.length} characters left out …]\n${tail}`;
}

/** Never leaves half a character at the cut (field case W05). */
function cut(part: string, at: "start" | "end"): string {
  if (at === "end") return /[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part;
  return /^[\uDC00-\uDFFF]/.test(part) ? part.slice(1) : part;
}
