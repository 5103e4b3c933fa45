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

/** Everything a request carries that must never stand in a text: what servers repeat of it is taken out. */
export function secretsIn(carried: {
  readonly url: URL;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}): readonly string[] {
  const { username, password, searchParams } = carried.url;
  const values = Object.values(carried.headers);
  const inQuery = [...searchParams].filter(([name]) => secretName.test(name)).map(([, it]) => it);
  const login = `${decoded(username)}:${decoded(password)}`;
  return [
    carried.apiKey ?? "",
    ...values,
    // What follows `Bearer`.
    ...values.map((value) => value.split(" ").at(-1) ?? ""),
    ...inQuery.flatMap((value) => [value, encodeURIComponent(value)]),
    ...(password === "" ? [] : [password, decoded(password), btoaOf(login)]),
  ];
}

const secretName = /key|token|secret|sig|auth|pass|credential|code/i;
const btoaOf = (text: string): string => Buffer.from(text).toString("base64");

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const longestInput = 65_536;
const longest = 400;
/** Anything shorter would blot out ordinary words. */
const shortestSecret = 6;
