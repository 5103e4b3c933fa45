import type { Failure, Json, JsonObject } from "#core";
import { advice, classOfError, type WireError } from "./error-class.ts";
import { refusesImage } from "./image-refusal.ts";
import { isJsonObject, objectOf, parseJson, stringOf } from "./json-read.ts";
import { retryAfterInBody, retryAfterMs } from "./retry-after.ts";
import { safeText } from "./secrets.ts";
import { refusesTools, toolsAdvice } from "./tools-refusal.ts";

/** Who answered, for messages, and what must never stand in one. */
export interface Peer {
  /** Host of the base URL. */
  readonly name: string;
  readonly secrets: readonly string[];
  /** For a `Retry-After` that is a date, when the server sends no date of its own. */
  now(): number;
}

export interface ErrorAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An HTTP answer that is not a stream of a reply, as a failure. */
export function failureOfAnswer(answer: ErrorAnswer, peer: Peer): Failure {
  const { status, headers } = answer;
  const { error, wire } = readError(answer);
  const isGood = status < 300;
  const told = { ...wire, status: isGood ? (statusIn(error) ?? status) : status };
  const how = isGood ? "answered without a stream" : `answered ${status}`;
  const found = { ...classified({ wire: told, error, how }, peer), status };
  const shouldRetry = headers["x-should-retry"];
  return {
    ...found,
    class: shouldRetry === "true" && found.class === "invalid_request" ? "server" : found.class,
    ...(shouldRetry === "false" ? { final: true } : {}),
    retryAfterMs: retryAfterMs(headers, peer.now()) ?? found.retryAfterMs,
  };
}

/** An error event inside a stream, as a failure. `error` holds `type` and `message`. */
export function failureOfEvent(error: JsonObject, peer: Peer): Failure {
  const wire = { status: statusIn(error), labels: labelsOf(error), message: messageOf(error) };
  const how = "broke the reply off with an error";
  return { ...classified({ wire, error, how }, peer), status: null };
}

/** Gateways put the status that the server behind them gave into the error. */
function statusIn(error: JsonObject): number | null {
  const told = [error["code"], error["status_code"], error["status"]].find(
    (value) => typeof value === "number" && value >= 400 && value < 600,
  );
  return typeof told === "number" ? told : null;
}

function classified(
  {
    wire,
    error,
    how,
  }: { readonly wire: WireError; readonly error: JsonObject; readonly how: string },
  peer: Peer,
): Omit<Failure, "status"> {
  const kind = classOfError(wire);
  const label = wire.labels[0] === undefined ? "" : ` (${safeText(wire.labels[0], peer.secrets)})`;
  const said = safeText(wire.message, peer.secrets);
  const about = refusesImage(wire, kind) ? "images" : refusesTools(wire.message) ? "tools" : null;
  const hint = about === null ? advice[kind] : hints[about];
  return {
    class: kind,
    message: `${peer.name} ${how}${label}${said === "" ? "." : `: ${ended(said)}`} ${hint}`.trim(),
    source: { peer: peer.name, said: `${label.trim()} ${said}`.trim() },
    retryAfterMs: retryAfterInBody(error, wire.message),
    ...(about === null ? {} : { about }),
  };
}

const hints = { images: "An image was refused.", tools: toolsAdvice } as const;

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function readError(answer: ErrorAnswer): { readonly error: JsonObject; readonly wire: WireError } {
  const { value } = parseJson(answer.body);
  const error = errorObject(value);
  if (error === null) {
    const message = value === null ? readableText(answer.body) : "";
    return { error: {}, wire: { status: answer.status, labels: [], message } };
  }
  const wire = { status: answer.status, labels: labelsOf(error), message: messageOf(error) };
  return { error, wire };
}

/** `{error: {…}}`, `{error: "…"}`, `[{error: {…}}]` or `{message: "…"}`. */
function errorObject(body: Json): JsonObject | null {
  const outer = objectOf(Array.isArray(body) ? body[0] : body);
  if (outer === null) return null;
  const inner = outer["error"];
  if (isJsonObject(inner)) return inner;
  return typeof inner === "string" ? { message: inner } : outer;
}

function labelsOf(error: JsonObject): readonly string[] {
  const inner = objectOf(error["innererror"]);
  const details = Array.isArray(error["details"]) ? error["details"] : [];
  const reasons = details.map((detail: Json) => objectOf(detail)?.["reason"]);
  return [error["type"], error["code"], error["status"], inner?.["code"], ...reasons].filter(
    (label): label is string => typeof label === "string" && label !== "",
  );
}

function messageOf(error: JsonObject): string {
  const raw = stringOf(objectOf(error["metadata"])?.["raw"]);
  const message = stringOf(error["message"]) ?? stringOf(error["detail"]) ?? "";
  return (raw === null ? message : `${message}: ${raw}`).slice(0, longestMessage);
}

/** Patterns run over messages: what a hostile server can make them cost is bounded here. */
const longestMessage = 4096;

/** A web page's readable words: enough for one line about a gateway. */
function readableText(body: string): string {
  return body
    .slice(0, longestMessage)
    .replaceAll(/<(script|style)\b[^]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ");
}
