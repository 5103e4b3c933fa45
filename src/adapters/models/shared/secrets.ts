/** Key shapes of the known providers, and the user part of a URL. */
const secretShapes = /\b(?:sk|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9]{20,}|(?<=:\/\/)[^\s/@]+(?=@)/g;

/**
 * A text that may be shown and journaled: without the given secrets, without anything that looks like a key, on one
 * line, without control characters, and short.
 */
export function safeText(text: string, secrets: readonly string[]): string {
  let safe = text.slice(0, longestInput);
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) safe = safe.replaceAll(secret, "[secret]");
  }
  safe = safe.replaceAll(secretShapes, "[secret]");
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  safe = safe.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe;
}

const longestInput = 65_536;
const longest = 400;
/** Anything shorter would blot out ordinary words. */
const shortestSecret = 6;
