/** Most characters (UTF-16 units) of one result that reach the model. Source: contract, section 5. */
export const mostCharacters = 30_000;

/**
 * Keeps head and tail of a text that is too long, says how long it was and where the rest is. Cuts between
 * characters and, where one is near, between lines.
 */
export function capText(text: string, where: string, most: number = mostCharacters): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = headOf(text, half);
  const tail = tailOf(text, half);
  const left = text.length - head.length - tail.length;
  const notice = `[… ${left} of ${text.length} characters left out here. ${where}]`;
  return `${head}${head.endsWith("\n") ? "" : "\n"}${notice}\n${tail}`;
}

/** Lines this near to the cut are kept whole. */
const lineSlack = 500;

/** The first characters of a text, never half of one. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const line = text.lastIndexOf("\n", most - 1) + 1;
  if (line > most - lineSlack && line > 0) return text.slice(0, line);
  return text.slice(0, isLowSurrogate(text, most) ? most - 1 : most);
}

/** The last characters of a text, never half of one. */
export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  const line = text.indexOf("\n", from - 1) + 1;
  if (line > 0 && line < from + lineSlack) return text.slice(line);
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}

const isLowSurrogate = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
};
