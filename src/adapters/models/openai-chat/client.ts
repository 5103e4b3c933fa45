import type { ModelChunk, ModelClient } from "#runtime";
import { failureOfAnswer } from "../shared/error-answer.ts";
import { endpoint } from "../shared/endpoint.ts";
import { httpClient, lowerCased, type HttpOptions } from "../shared/http-client.ts";
import { failed } from "../shared/network-failure.ts";
import type { Answer } from "../shared/post.ts";
import { readAnswer } from "../shared/read-answer.ts";
import { bodyBuilder } from "./body.ts";
import type { Dialect } from "../capabilities.ts";
import { holdsReply, readDocument, readReply, type ReadOptions } from "./read-reply.ts";

export interface OpenAiChatOptions extends HttpOptions {
  /** With its version at the end, as in http://127.0.0.1:11434/v1; a bare host gets `/v1`. Default: the dialect's own. */
  readonly baseUrl?: string;
  readonly dialect: Dialect;
}

/**
 * The Chat Completions API, streaming, as the dialect's provider speaks it. Keeps its connections and the serialised
 * form of the conversations it has sent: use one client for many requests.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export function openAiChatClient(options: OpenAiChatOptions): ModelClient {
  const { dialect } = options;
  const url = endpoint(options.baseUrl ?? dialect.baseUrl ?? "", completionsPath);
  const buildBody = bodyBuilder(dialect);
  const headers = headersOf(options);
  return httpClient(
    {
      url,
      requestFor: (request) => ({ url, headers, body: buildBody(request) }),
      holdsReply: (contentType) => !/^text\/html\b/i.test(contentType),
      read: (answer, { request, peer }) =>
        read(answer, {
          dialect,
          model: request.model,
          maxOutputTokens: request.maxOutputTokens,
          peer,
        }),
    },
    options,
  );
}

const path = "/chat/completions";

function completionsPath(base: string): string {
  if (base === "") return `/v1${path}`;
  return base.endsWith(path) ? base : `${base}${path}`;
}

function headersOf({
  apiKey,
  headers,
  dialect,
}: OpenAiChatOptions): Readonly<Record<string, string>> {
  const key = dialect.keyHeader === "authorization" ? `Bearer ${apiKey}` : (apiKey ?? "");
  return {
    accept: "text/event-stream",
    "content-type": "application/json",
    ...(apiKey === null ? {} : { [dialect.keyHeader]: key }),
    ...lowerCased(headers),
  };
}

/** Servers that cannot stream give the reply as one document; so do errors that come with status 200. */
function read(answer: Answer, options: ReadOptions): AsyncGenerator<ModelChunk> {
  const { peer } = options;
  return readAnswer(answer.body, {
    peer,
    stream: (bytes) => readReply(bytes, options),
    whole: (value, text) =>
      holdsReply(value)
        ? readDocument(value, options)
        : [failed(failureOfAnswer({ ...answer, body: text }, peer))],
  });
}
