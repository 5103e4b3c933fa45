import type { Failure } from "#core";
import type { Clock, ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { connections } from "../../network/index.ts";
import type { Bytes } from "./byte-queue.ts";
import { failureOfAnswer, type Peer } from "./error-answer.ts";
import { failed, failureWithoutAnswer } from "./network-failure.ts";
import { post, usualPatience, type Answer, type Patience } from "./post.ts";
import { safeText, secretsIn } from "./secrets.ts";

/** How a server is reached, whatever wire it speaks. */
export interface HttpOptions {
  /** Null: no key is sent, for gateways that need none. */
  readonly apiKey: string | null;
  /** Sent with every request; may replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly patience?: Patience;
  readonly clock: Clock;
  /** Where proxies are named. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What one wire adds to HTTP. */
export interface HttpWire {
  /** Base URL: connections are kept to its host. */
  readonly url: URL;
  /** What goes out for a request. */
  requestFor(request: ModelRequest): Outgoing;
  /** Whether a good answer of this `Content-Type` holds a reply. */
  holdsReply(contentType: string): boolean;
  /** The chunks of the reply in a good answer. */
  read(
    answer: Answer,
    about: { readonly request: ModelRequest; readonly peer: Peer },
  ): AsyncIterable<ModelChunk>;
}

export interface Outgoing {
  readonly url: URL;
  /** As they are sent: the user's own have been put over the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parts of the body, in order. */
  readonly body: readonly Uint8Array[];
}

/** A client of one wire over HTTP. Keeps its connections. @throws PawlError `invalid_proxy` */
export function httpClient(wire: HttpWire, options: HttpOptions): ModelClient {
  const { apiKey, headers = {} } = options;
  const secrets = secretsIn({ url: wire.url, apiKey, headers });
  const peer: Peer = { name: wire.url.host, secrets, now: () => options.clock.now() };
  const agent = connections(wire.url, options.env ?? process.env);

  let ready: Ready | null = null;

  function outgoing(request: ModelRequest): Outgoing {
    const made = ready?.request === request ? ready.outgoing : wire.requestFor(request);
    ready = null;
    return made;
  }

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelChunk> {
    try {
      const { url, headers, body } = outgoing(request);
      const answer = await post({
        url,
        headers,
        body,
        agent,
        peer,
        patience: options.patience ?? usualPatience,
        clock: options.clock,
        signal,
      });
      if ("class" in answer) return yield failed(answer);
      const refusal = await refusalOf(answer, { wire, peer });
      if (refusal !== null) return yield failed(refusal);
      yield* wire.read(answer, { request, peer });
    } catch (error) {
      const what = safeText(error instanceof Error ? error.message : String(error), secrets);
      yield failed(failureWithoutAnswer("internal", `The model client failed: ${what}.`));
    }
  }

  return {
    prepare(request) {
      try {
        ready = { request, outgoing: wire.requestFor(request) };
      } catch {
        // `stream` meets the same trouble again and tells it.
      }
    },
    stream,
  };
}

/** A request whose body was made while its fact was still on the way to the disk. */
interface Ready {
  readonly request: ModelRequest;
  readonly outgoing: Outgoing;
}

/** Headers with their names in lower case. */
export function lowerCased(
  headers: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Why an answer holds no reply; null when it does. */
async function refusalOf(
  answer: Answer,
  { wire, peer }: { readonly wire: HttpWire; readonly peer: Peer },
): Promise<Failure | null> {
  const isOk = answer.status >= 200 && answer.status < 300;
  if (isOk && wire.holdsReply(answer.headers["content-type"] ?? "")) return null;
  const body = await beginning(answer.body);
  if (answer.body.failure?.class === "aborted") return answer.body.failure;
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
    const to = safeText(location, peer.secrets);
    return {
      ...failureOfAnswer({ ...answer, body: "" }, peer),
      message: `${peer.name} sends requests on to ${to}. If you trust that address, make it the base URL.`,
    };
  }
  return failureOfAnswer({ ...answer, body }, peer);
}

async function beginning(bytes: Bytes): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length > longestErrorBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

const longestErrorBytes = 64 * 1024;
