import {
  ClientRequest,
  request as requestHttp,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import type { Failure } from "#core";
import type { Clock } from "#runtime";
import { byteQueue, type Bytes } from "./byte-queue.ts";
import { decoderFor } from "../../network/index.ts";
import type { Peer } from "./error-answer.ts";
import { abortedFailure, cutOff, failureOfConnection, stalled } from "./network-failure.ts";
import { silenceBehindReplyMs, watchSilence } from "./silence.ts";

/** The only time limits there are: how long nothing at all may come. */
export interface Patience {
  /** Before the first byte of the body. Slow local models read the prompt for minutes (field case V05). */
  readonly firstByteMs: number;
  /** After it. Pings and comments are signs of life (field case V04). */
  readonly idleMs: number;
}

export const usualPatience: Patience = { firstByteMs: 10 * 60_000, idleMs: 2 * 60_000 };

export interface PostOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts of the body, in order; with none the request is a GET. */
  readonly body: readonly Uint8Array[];
  readonly agent: Agent;
  readonly peer: Peer;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decompressed. A reader that leaves early lets the connection go back to be used again. */
  readonly body: Bytes;
}

/** Sends one request. Redirects are not followed: the key belongs to the host the user named. Never throws. */
export async function post(options: PostOptions): Promise<Answer | Failure> {
  if (options.signal.aborted) return abortedFailure;
  const request = open(options);
  if (!(request instanceof ClientRequest)) return request;
  return exchange(options, request);
}

/** The request, or why it cannot even be begun (a header that no header may hold). */
function open({ url, headers, body, agent, peer }: PostOptions): ClientRequest | Failure {
  const bytes = body.reduce((sum, part) => sum + part.byteLength, 0);
  const isGet = body.length === 0;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  try {
    return send(url, {
      method: isGet ? "GET" : "POST",
      agent,
      headers: {
        ...headers,
        "accept-encoding": "identity",
        ...(isGet ? {} : { "content-length": bytes }),
      },
    });
  } catch (error) {
    return failureOfConnection(error, peer);
  }
}

function exchange(options: PostOptions, request: ClientRequest): Promise<Answer | Failure> {
  const { signal, clock, peer, patience } = options;
  const { promise, resolve } = Promise.withResolvers<Answer | Failure>();
  let body: Readable | null = null;
  let isDone = false;
  let isEndExpected = false;
  const queue = byteQueue({ onRoom: () => body?.resume(), onLeft: letGo, onEndExpected });
  const silence = watchSilence({
    clock,
    limitMs: patience.firstByteMs,
    isPaused: () => queue.isFull,
    onSilence: () => giveUp(stalled(peer)),
  });
  signal.addEventListener("abort", onAbort);
  request.on("error", (error) => {
    // Once an answer has begun its own events tell how it ended.
    if (body === null) giveUp(failureOfConnection(error, peer));
  });
  // An answer that is none (`101 Switching Protocols`) ends the request without an error.
  request.on("close", () => {
    if (body === null) giveUp(failureOfConnection(new Error(closedWords), peer));
  });
  request.on("response", (response) => {
    silence.alive();
    body = read(response);
    resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body: queue });
  });
  request.cork();
  for (const part of options.body) request.write(part);
  request.end();
  return promise;

  function read(response: IncomingMessage): Readable {
    const decoder = decoderFor(response.headers["content-encoding"] ?? "");
    const decoded = decoder === null ? response : response.pipe(decoder);
    const ended = (): void =>
      finish(response.complete ? null : cutOff(peer, "the connection was closed"));
    response.on("data", () => {
      // Behind the reply only frames of it are life: pings could come for ever.
      if (isEndExpected) return;
      silence.alive();
      silence.allow(patience.idleMs);
    });
    decoded.on("data", (bytes: Uint8Array) => {
      queue.push(bytes);
      if (queue.isFull) decoded.pause();
    });
    decoded.on("end", ended);
    response.on("error", () => {}); // `close` follows and tells the same
    if (decoder === null) {
      response.on("close", ended);
    } else {
      decoder.on("error", () => finish(cutOff(peer, "its compressed data is damaged")));
      response.on("close", () => decoder.end());
    }
    return decoded;
  }

  function onEndExpected(): void {
    isEndExpected = true;
    silence.alive();
    silence.allow(Math.min(silenceBehindReplyMs, patience.idleMs));
  }

  function finish(failure: Failure | null): void {
    if (isDone) return;
    isDone = true;
    silence.stop();
    signal.removeEventListener("abort", onAbort);
    queue.end(failure);
  }

  function giveUp(failure: Failure): void {
    finish(failure);
    resolve(failure);
    request.destroy();
  }

  function onAbort(): void {
    queue.cut(abortedFailure);
    giveUp(abortedFailure);
  }

  function letGo(): void {
    if (isDone) return;
    finish(null);
    // What is left is a few bytes, if anything; only read to its end can the connection be used again.
    body?.removeAllListeners("data").resume();
    const late = setTimeout(() => request.destroy(), restMs).unref();
    request.on("close", () => clearTimeout(late));
  }
}

const closedWords = "the connection was closed before an answer";

/** How long the rest of an answer nobody reads may take. */
const restMs = 1000;

function flat(headers: IncomingHttpHeaders): Answer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
}
