import { PawlError, type Failure } from "#core";
import type { Clock, ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { connections } from "../shared/agent.ts";
import type { Bytes } from "../shared/byte-queue.ts";
import { failureOfAnswer, type Peer } from "../shared/error-answer.ts";
import { failureWithoutAnswer } from "../shared/network-failure.ts";
import { post, usualPatience, type Answer, type Patience } from "../shared/post.ts";
import { safeText } from "../shared/secrets.ts";
import { bodyBuilder } from "./body.ts";
import { provider } from "./wire-ids.ts";
import { readReply } from "./read-reply.ts";

export interface AnthropicOptions {
  /** Null: no key is sent, for gateways that need none. */
  readonly apiKey: string | null;
  /** Default https://api.anthropic.com; with or without `/v1` at its end. */
  readonly baseUrl?: string;
  /** Sent with every request; may replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly patience?: Patience;
  /** Tokens the model may think with (1,024 and more); newer models take it as a wish to think. Default: no wish. */
  readonly thinkingBudgetTokens?: number;
  readonly clock: Clock;
  /** Where proxies are named. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The Anthropic Messages API, streaming (version 2023-06-01). Keeps its connections and the serialised form of the
 * conversations it has sent: use one client for many requests.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export function anthropicClient(options: AnthropicOptions): ModelClient {
  const url = messagesUrl(options.baseUrl ?? ownBaseUrl);
  const secrets = secretsOf(options);
  const peer: Peer = { name: url.host, secrets, now: () => options.clock.now() };
  const agent = connections(url, options.env ?? process.env);
  const buildBody = bodyBuilder({
    thinkingBudgetTokens: options.thinkingBudgetTokens ?? null,
    isOwnHost: url.host === new URL(ownBaseUrl).host,
  });
  const headers = headersOf(options);

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelChunk> {
    try {
      const { parts, beta } = buildBody(request);
      const answer = await post({
        url,
        headers: withBeta(headers, beta),
        body: parts,
        agent,
        peer,
        patience: options.patience ?? usualPatience,
        clock: options.clock,
        signal,
      });
      if ("class" in answer) return yield failed(answer);
      const refusal = await refusalOf(answer, peer);
      if (refusal !== null) return yield failed(refusal);
      yield* readReply(answer.body, { provider, model: request.model, peer });
    } catch (error) {
      const what = safeText(error instanceof Error ? error.message : String(error), secrets);
      yield failed(failureWithoutAnswer("internal", `The model client failed: ${what}.`));
    }
  }

  return { stream };
}

const ownBaseUrl = "https://api.anthropic.com";

/** Beta features of the user's own headers stay on. */
function withBeta(
  headers: Readonly<Record<string, string>>,
  beta: string | null,
): Readonly<Record<string, string>> {
  if (beta === null) return headers;
  const own = headers["anthropic-beta"];
  return { ...headers, "anthropic-beta": own === undefined ? beta : `${own},${beta}` };
}

const failed = (failure: Failure): ModelChunk => ({
  type: "failure",
  failure,
  blocks: [],
  usage: null,
});

/** @throws PawlError `invalid_base_url` */
function messagesUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:")) {
    url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/messages`;
    return url;
  }
  throw new PawlError(
    "invalid_base_url",
    `"${safeText(baseUrl, [])}" is no base URL for Anthropic. It must start with https:// or http://, as in https://api.anthropic.com.`,
  );
}

function headersOf({ apiKey, headers }: AnthropicOptions): Readonly<Record<string, string>> {
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    accept: "text/event-stream",
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    ...(apiKey === null ? {} : { "x-api-key": apiKey }),
    ...Object.fromEntries(own),
  };
}

/** A header's value, and its last word: what follows `Bearer`. */
function secretsOf({ apiKey, headers }: AnthropicOptions): readonly string[] {
  const values = Object.values(headers ?? {});
  return [apiKey ?? "", ...values, ...values.map((value) => value.split(" ").at(-1) ?? "")];
}

/** Why an answer holds no stream of a reply; null when it does. */
async function refusalOf(answer: Answer, peer: Peer): Promise<Failure | null> {
  const type = answer.headers["content-type"] ?? "";
  const isOk = answer.status >= 200 && answer.status < 300;
  if (isOk && !/^(application\/json|text\/html)\b/i.test(type)) return null;
  const body = await beginning(answer.body);
  if (answer.body.failure?.class === "aborted") return answer.body.failure;
  if (answer.status >= 300 && answer.status < 400) {
    const to = safeText(answer.headers["location"] ?? "another address", peer.secrets);
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
