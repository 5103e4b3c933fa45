import type { ModelChunk, ModelClient } from "#runtime";
import { failureOfAnswer, failureOfEvent, type Peer } from "../shared/error-answer.ts";
import type { Capabilities } from "../capabilities.ts";
import { endpoint } from "../shared/endpoint.ts";
import { httpClient, type HttpOptions } from "../shared/http-client.ts";
import { isJsonObject } from "../shared/json-read.ts";
import { cutOff, failed } from "../shared/network-failure.ts";
import type { Answer } from "../shared/post.ts";
import { readAnswer } from "../shared/read-answer.ts";
import { readStream } from "../shared/read-stream.ts";
import { bodyBuilder } from "./body.ts";
import { frameOf } from "./frame.ts";
import { replyReader } from "./reply.ts";

export interface OpenAiResponsesOptions extends HttpOptions {
  /** Default https://api.openai.com/v1. With its version at the end; a bare host gets `/v1`. */
  readonly baseUrl?: string;
  /** Whether its models can be held to a JSON Schema. Default: they cannot. */
  readonly answerSchema?: Capabilities["answerSchema"];
  /** How its models are told how hard to think. Default: `reasoning_effort`. */
  readonly thinking?: Capabilities["thinking"];
}

/**
 * The OpenAI Responses API, streaming; nothing is stored there. Keeps its connections and the serialised form of the
 * conversations it has sent: use one client for many requests.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export function openAiResponsesClient(options: OpenAiResponsesOptions): ModelClient {
  const url = endpoint(options.baseUrl ?? ownBaseUrl, responsesPath);
  const buildBody = bodyBuilder({
    isOwnHost: url.host === new URL(ownBaseUrl).host,
    answerSchema: options.answerSchema ?? "refused",
    thinking: options.thinking ?? "reasoning_effort",
  });
  const headers = {
    accept: "text/event-stream",
    "content-type": "application/json",
    ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  return httpClient(
    {
      url,
      requestFor: (request) => ({ url, headers, body: buildBody(request) }),
      holdsReply: (contentType) => !/^text\/html\b/i.test(contentType),
      read: (answer, { request, peer }) => read(answer, { model: request.model, peer }),
    },
    options,
  );
}

const ownBaseUrl = "https://api.openai.com/v1";
const path = "/responses";

function responsesPath(base: string): string {
  if (base === "") return `/v1${path}`;
  return base.endsWith(path) ? base : `${base}${path}`;
}

interface About {
  readonly model: string;
  readonly peer: Peer;
}

/** Servers that cannot stream give the reply as one document; so do errors that come with status 200. */
function read(answer: Answer, { model, peer }: About): AsyncGenerator<ModelChunk> {
  const readerOf = () =>
    replyReader({ model, failureOfError: (error) => failureOfEvent(error, peer) });
  return readAnswer(answer.body, {
    peer,
    stream: (bytes) =>
      readStream(bytes, {
        peer,
        reader: readerOf(),
        frameOf: (event) => frameOf(event, bytes.failure === null),
      }),
    whole(value, text) {
      if (!isJsonObject(value) || value["object"] !== "response") {
        return [failed(failureOfAnswer({ ...answer, body: text }, peer))];
      }
      const reader = readerOf();
      const shown = reader.accept({ type: "response", response: value });
      return [...shown, ...reader.end(cutOff(peer, "it holds no reply"))];
    },
  });
}
