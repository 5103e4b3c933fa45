/** One line as far as it is kept. */
export interface Line {
  readonly number: number;
  /** At most `keptCharacters` of it, without its end. */
  readonly text: string;
  readonly characters: number;
  readonly end: "lf" | "crlf" | "cr" | "none";
}

/** Characters of a line that are shown; the rest of a longer one is counted only. */
export const keptCharacters = 2000;

export interface LineSplitter {
  /** The lines that this piece of text completes. */
  feed(piece: string): Line[];
  /** A line has begun and not ended. */
  isOpen(): boolean;
  /** The last line, when it has no end. */
  end(): Line | null;
}

/** Cuts text that arrives in pieces into lines; holds no more of a line than is kept. */
export function lineSplitter(by: "lf" | "cr", firstNumber: number): LineSplitter {
  const mark = by === "lf" ? "\n" : "\r";
  let number = firstNumber;
  let kept = "";
  let characters = 0;
  let endsWithReturn = false;

  const add = (part: string): void => {
    if (part === "") return;
    kept += part.slice(0, Math.max(0, keptCharacters + 1 - kept.length));
    characters += part.length;
    endsWithReturn = part.endsWith("\r");
  };
  const take = (end: Line["end"]): Line => {
    const length = end === "crlf" ? characters - 1 : characters;
    const text = wholeCharacters(kept, Math.min(length, keptCharacters));
    const line = { number, text, characters: length, end };
    number += 1;
    kept = "";
    characters = 0;
    endsWithReturn = false;
    return line;
  };

  return {
    feed(piece) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, from)) {
        add(piece.slice(from, at));
        if (by === "cr") lines.push(take("cr"));
        else lines.push(take(endsWithReturn ? "crlf" : "lf"));
        from = at + 1;
      }
      add(piece.slice(from));
      return lines;
    },
    isOpen: () => characters > 0,
    end: () => (characters > 0 ? take("none") : null),
  };
}

/** Cuts between characters. */
function wholeCharacters(text: string, length: number): string {
  const isCut = /[\ud800-\udbff]/.test(text.charAt(length - 1)) && length < text.length;
  return text.slice(0, isCut ? length - 1 : length);
}
