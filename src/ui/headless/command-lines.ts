import {
  type CallId,
  type Command,
  type Image,
  type Json,
  type JsonObject,
  type Text,
  text,
} from "#core";

/** A line of `--input-format stream-json`: a command, or what is wrong with it. */
export type CommandLine =
  | { readonly at: "command"; readonly command: Command; readonly always: boolean }
  | { readonly at: "blank" }
  | { readonly at: "bad"; readonly problem: "not_json" | "not_a_command"; readonly detail: string };

/** Reads one line (contract, section 3); blank lines and a carriage return at the end count for nothing. */
export function parseCommandLine(line: string): CommandLine {
  const written = line.trim();
  if (written === "") return { at: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch (error) {
    return { at: "bad", problem: "not_json", detail: error instanceof Error ? error.message : "" };
  }
  if (!isObject(value)) return { at: "bad", problem: "not_json", detail: "not an object" };
  const command = commandIn(value);
  return command === null
    ? { at: "bad", problem: "not_a_command", detail: "" }
    : { at: "command", command, always: value["scope"] === "always" };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function commandIn(value: JsonObject): Command | null {
  const { type } = value;
  switch (typeof type === "string" ? type : "") {
    case "prompt":
      return promptIn(value);
    case "interrupt":
      return optional(value["now"], "boolean")
        ? { type: "interrupt", now: value["now"] === true }
        : null;
    case "answer":
      return answerIn(value);
    case "compact":
      return { type: "compact" };
    default:
      return null;
  }
}

/** `text`, or `content`: a list of texts and images in the form most programs know. */
function promptIn({ text: words, content }: JsonObject): Command | null {
  if (typeof words === "string") return { type: "prompt", blocks: [text(words)] };
  if (!isList(content)) return null;
  const blocks = content.flatMap((part) => blockIn(part) ?? []);
  return blocks.length === content.length ? { type: "prompt", blocks } : null;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function blockIn(part: Json): Text | Image | null {
  if (!isObject(part)) return null;
  const { type, text: words, source } = part;
  if (type === "text" && typeof words === "string") return text(words);
  if (type !== "image" || !isObject(source) || source["type"] !== "base64") return null;
  const { media_type: mediaType, data } = source;
  if (typeof mediaType !== "string" || typeof data !== "string") return null;
  return { type: "image", mediaType, data };
}

function answerIn(value: JsonObject): Command | null {
  const { call, verdict, scope, reason } = value;
  if (typeof call !== "string" || (verdict !== "allow" && verdict !== "deny")) return null;
  if (!optional(reason, "string")) return null;
  const isScope =
    scope === undefined || scope === "once" || scope === "session" || scope === "always";
  if (!isScope) return null;
  return {
    type: "answer",
    // Checked against the open questions when it is sent: an id nobody has is refused there.
    call: call as CallId,
    verdict,
    scope: scope === "session" || scope === "always" ? "session" : "once",
    reason: typeof reason === "string" ? reason : "",
  };
}

const optional = (value: Json | undefined, type: "boolean" | "string"): boolean =>
  value === undefined || typeof value === type;

/** Bytes of the longest line that is read: a prompt may hold images. */
export const maxLineBytes: number = 64_000_000;

interface NumberedLine {
  readonly number: number;
  /** null = longer than `maxLineBytes`. */
  readonly text: string | null;
}

/**
 * The lines of a byte stream, split at newlines only (a line separator inside JSON text is text); a last line
 * without a newline counts.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): NumberedLine => {
    const line = length > maxLineBytes ? null : new TextDecoder().decode(Buffer.concat(parts));
    parts = [];
    length = 0;
    number += 1;
    return { number, text: line };
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
