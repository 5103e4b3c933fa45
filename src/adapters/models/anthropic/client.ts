import type { ModelClient, ModelRequest } from "#runtime";
import type { Capabilities } from "../capabilities.ts";
import { endpoint } from "../shared/endpoint.ts";
import { httpClient, lowerCased, type HttpOptions, type Outgoing } from "../shared/http-client.ts";
import { bodyBuilder } from "./body.ts";
import { provider } from "./provider.ts";
import { readAnyReply } from "./read-reply.ts";

export interface AnthropicOptions extends HttpOptions {
  /** Default https://api.anthropic.com; with or without `/v1` at its end. */
  readonly baseUrl?: string;
  /** Whether its models can be held to a JSON Schema. Default: they cannot. */
  readonly answerSchema?: Capabilities["answerSchema"];
  /** How its models are told how hard to think. Default: `budget`. */
  readonly thinking?: Capabilities["thinking"];
}

/**
 * The Anthropic Messages API, streaming (version 2023-06-01). Keeps its connections and the serialised form of the
 * conversations it has sent: use one client for many requests.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export function anthropicClient(options: AnthropicOptions): ModelClient {
  const url = endpoint(
    options.baseUrl ?? ownBaseUrl,
    (path) => `${path.replace(/\/v1$/, "")}/v1/messages`,
  );
  const buildBody = bodyBuilder({
    isOwnHost: url.host === new URL(ownBaseUrl).host,
    answerSchema: options.answerSchema ?? "refused",
    thinking: options.thinking ?? "budget",
  });
  const headers = headersOf(options);

  function requestFor(request: ModelRequest): Outgoing {
    const { parts, beta } = buildBody(request);
    return { url, headers: withBeta(headers, beta), body: parts };
  }

  return httpClient(
    {
      url,
      requestFor,
      holdsReply: (contentType) => !/^text\/html\b/i.test(contentType),
      read: (answer, { request, peer }) =>
        readAnyReply(answer, { provider, model: request.model, peer }),
    },
    options,
  );
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

function headersOf({ apiKey, headers }: AnthropicOptions): Readonly<Record<string, string>> {
  return {
    accept: "text/event-stream",
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    ...(apiKey === null ? {} : { "x-api-key": apiKey }),
    ...lowerCased(headers),
  };
}
