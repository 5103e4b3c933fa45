/**
 * A broken contract or an environment that cannot go on. `code` is stable and documented; `message` says what
 * happened, why, and what to do. Ask with `isPawlError`, never with `instanceof` or by the text.
 */
export class PawlError extends Error {
  readonly code: string;
  readonly isPawlError = true;
  /** What `message` is about, by name, for faces in other languages; null where nothing else words it. */
  readonly values: ErrorValues | null;

  constructor(
    code: string,
    message: string,
    options?: { readonly cause?: unknown; readonly values?: ErrorValues },
  ) {
    super(message, options);
    this.name = "PawlError";
    this.code = code;
    this.values = options?.values ?? null;
  }
}

export type ErrorValues = Readonly<Record<string, string | number>>;

export function isPawlError(error: unknown, code?: string): error is PawlError {
  return (
    typeof error === "object" &&
    error !== null &&
    "isPawlError" in error &&
    "code" in error &&
    (code === undefined || error.code === code)
  );
}
