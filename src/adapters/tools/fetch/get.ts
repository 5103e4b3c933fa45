import { type LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { request as requestHttp, type Agent, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPawlError } from "#core";
import { connections, decoderFor } from "../../network/index.ts";
import { errnoOf, trouble, type Trouble } from "../../workspace/index.ts";
import { bareHost, firstPrivate, isNamed, isPrivate } from "./addresses.ts";

/** Most bytes of one answer, unpacked. */
const mostBytes = 10 * 1024 * 1024;

/** All addresses of a name, as the system finds them. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface GetOptions {
  /** Hosts that may be private, as the settings name them. */
  readonly privateHosts: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resolve?: Resolve | undefined;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | null;
  readonly body: Uint8Array;
  /** False: it goes on beyond `mostBytes`, or broke off. */
  readonly isWhole: boolean;
}

const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * One GET; redirects are not followed. The address is judged when the connection is made, so what the name means at
 * another moment (DNS rebinding) does not matter. Behind a proxy it is the proxy that connects; there a name is judged
 * by what it means here, if it means anything here. Never throws.
 */
export async function get(url: URL, options: GetOptions): Promise<Answer | Trouble> {
  const host = bareHost(url);
  const mayBePrivate = isNamed(url, options.privateHosts);
  if (isIP(host) > 0 && !mayBePrivate && isPrivate(host)) return privateTrouble(url, host);
  const resolve = options.resolve ?? bySystem;
  let refused: string | null = null;
  const judged: Resolve = async (name) => {
    const found = await resolve(name);
    if (name === host && !mayBePrivate) refused = firstPrivate(found);
    if (refused !== null) throw new Error("a private address");
    return found;
  };
  let agent: Agent | null = null;
  try {
    agent = connections(url, options.environment);
    if (hasProxy(options.environment)) await judged(host).catch(() => []);
    if (refused !== null) return privateTrouble(url, refused);
    return await exchange(url, { agent, resolve: judged, signal: options.signal });
  } catch (error) {
    return refused === null ? connectionTrouble(url, error) : privateTrouble(url, refused);
  } finally {
    agent?.destroy();
  }
}

const hasProxy = (environment: GetOptions["environment"]): boolean =>
  ["http_proxy", "https_proxy"].some(
    (name) => (environment[name] || environment[name.toUpperCase()]) !== undefined,
  );

const headers = {
  accept: "text/html,application/xhtml+xml,text/plain,application/json;q=0.9,*/*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
  "accept-language": "en,*;q=0.5",
  "user-agent": "pawl (coding agent)",
};

interface Exchange {
  readonly agent: Agent;
  readonly resolve: Resolve;
  readonly signal: AbortSignal;
}

async function exchange(url: URL, { agent, resolve, signal }: Exchange): Promise<Answer> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { agent, headers, signal, lookup: asLookup(resolve) });
  request.on("response", answered);
  // Stays for the whole exchange: an error without a listener would end the program.
  request.on("error", reject);
  request.on("close", () => reject(new Error("the connection was closed without an answer")));
  request.end();
  try {
    const response = await promise;
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      location: response.headers.location ?? null,
      ...(await bodyOf(response, signal)),
    };
  } finally {
    request.destroy();
  }
}

const asLookup =
  (resolve: Resolve): LookupFunction =>
  (name, { all }, answer) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (first === undefined) answer(new Error(`${name} has no address`), "");
        else if (all === true) answer(null, [...found]);
        else answer(null, first.address, first.family);
      },
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), ""),
    );
  };

async function bodyOf(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<Pick<Answer, "body" | "isWhole">> {
  const decoder = decoderFor(response.headers["content-encoding"] ?? "");
  // What came before the connection broke is unpacked and kept.
  response.on("error", () => decoder?.end());
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of decoder === null ? response : response.pipe(decoder)) {
      if (!(part instanceof Uint8Array)) continue;
      parts.push(part.subarray(0, mostBytes - bytes));
      bytes += part.length;
      if (bytes > mostBytes) break;
    }
  } catch (error) {
    if (signal.aborted || parts.length === 0) throw error;
  }
  signal.throwIfAborted();
  return { body: Buffer.concat(parts), isWhole: response.complete && bytes <= mostBytes };
}

const privateTrouble = (url: URL, address: string): Trouble =>
  trouble(
    "private_address",
    `${url.host} is ${address}, an address of this machine or of its own network; nothing was sent. ` +
      `A person can allow it with "fetch": { "privateHosts": ["${url.host}"] } in config.jsonc.`,
  );

const known: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name could not be resolved now",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  ETIMEDOUT: "it did not answer",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no network to reach it",
};

function connectionTrouble(url: URL, error: unknown): Trouble {
  const said = error instanceof Error ? error.message : String(error);
  if (isPawlError(error)) return trouble(error.code, said);
  const why = known[errnoOf(error) ?? ""] ?? said.slice(0, 300);
  return trouble("no_answer", `${url.href.slice(0, 300)} gave no answer: ${why}.`);
}
