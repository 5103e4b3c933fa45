import type { Failure, FailureClass } from "#core";
import type { ModelChunk } from "#runtime";
import { advice } from "./error-class.ts";
import type { Peer } from "./error-answer.ts";
import { safeText } from "./secrets.ts";

/** A failure without an HTTP status. */
export function failureWithoutAnswer(
  kind: FailureClass,
  message: string,
  source?: Failure["source"],
): Failure {
  return {
    class: kind,
    message: `${message} ${advice[kind]}`.trim(),
    status: null,
    ...(source === undefined ? {} : { source }),
    retryAfterMs: null,
  };
}

/** A failure of which nothing had come. */
export const failed = (failure: Failure): ModelChunk => ({
  type: "failure",
  failure,
  blocks: [],
  usage: null,
});

export const abortedFailure: Failure = failureWithoutAnswer("aborted", "Interrupted.");

export const stalled = (peer: Peer): Failure =>
  failureWithoutAnswer(
    "stall",
    `${peer.name} sent nothing for too long; the request was given up.`,
    { peer: peer.name, said: "" },
  );

export const cutOff = (peer: Peer, how: string): Failure =>
  failureWithoutAnswer("truncated", `The reply of ${peer.name} ended too early: ${how}.`, {
    peer: peer.name,
    said: "",
  });

/** What Node says when no answer could be had at all. */
export function failureOfConnection(error: unknown, peer: Peer): Failure {
  const code = codeOf(error);
  if (code === "ERR_INVALID_CHAR") {
    return failureWithoutAnswer(
      "auth",
      "The API key or another header holds a character that headers cannot carry, perhaps a line end.",
    );
  }
  if (code === "ERR_INVALID_HTTP_TOKEN") {
    return failureWithoutAnswer(
      "invalid_request",
      "A header of the settings has a name that no header may have: letters, digits and - are allowed.",
    );
  }
  if (isCertificateCode(code)) {
    return failureWithoutAnswer(
      "tls",
      `The certificate of ${peer.name} is not trusted (${code}).`,
      { peer: peer.name, said: code },
    );
  }
  const words = wordsOf[code] ?? safeText(messageOf(error), peer.secrets);
  return failureWithoutAnswer(
    "network",
    `Could not reach ${peer.name}: ${words}${code === "" ? "" : ` (${code})`}.`,
    { peer: peer.name, said: code === "" ? words : code },
  );
}

const wordsOf: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was reset before an answer",
  EPIPE: "the connection was closed before an answer",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "the network is not reachable",
};

/** Codes of OpenSSL's certificate check as Node names them, and of a peer that does not speak TLS. */
function isCertificateCode(code: string): boolean {
  return (
    /CERT|^UNABLE_TO_|^CRL_|^ERR_TLS_|^ERR_SSL_|^EPROTO$/.test(code) ||
    ["HOSTNAME_MISMATCH", "INVALID_CA", "INVALID_PURPOSE", "PATH_LENGTH_EXCEEDED"].includes(code)
  );
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string") return code;
  return "cause" in error ? codeOf(error.cause) : "";
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
