/**
 * What must never reach a terminal as it is: control bytes, C1, characters that change direction or have no
 * width (assigned or not), line separators, half surrogates.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const controls = /\r(?!\n)|[^\P{Cc}\n\r\t]|\p{Cs}/gu;
/** Format characters that are seen: Arabic number signs; and the choice between text and emoji form. */
const harmless = /[\uFE0E\uFE0F\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;

/**
 * Text of models, tools and files for a terminal: every unsafe character in a visible form, except newline and
 * tab. `\r\n` becomes a newline. The same text twice gives the same result.
 */
export function neutralise(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unsafe, visible);
}

/** The same for one line: newlines and tabs become visible too. */
export function neutraliseLine(text: string): string {
  return neutralise(text).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

/** For text that goes to a file or pipe: only control bytes, so that words of every script stay whole. */
export function neutraliseControls(text: string): string {
  return text.replace(controls, visible);
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n" || character === "\t" || harmless.test(character)) return character;
  // Unicode has pictures for the ASCII controls; everything else is named by its number.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** At most `length` characters of one line; the rest is an ellipsis. */
export function cutLine(text: string, length: number): string {
  const line = neutraliseLine(text);
  const characters = Array.from(line.slice(0, length * 2));
  return characters.length <= length && line.length <= length * 2
    ? line
    : `${characters.slice(0, length - 1).join("")}…`;
}
