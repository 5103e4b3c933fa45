/**
 * One line of the protocol. Readers in other languages take U+2028 and U+2029 for line ends, so these are
 * escaped; the value is the same.
 */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
