import type { ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { failureOfAnswer } from "../shared/error-answer.ts";
import type { Capabilities } from "../capabilities.ts";
import { endpoint } from "../shared/endpoint.ts";
import { httpClient, type HttpOptions, type Outgoing } from "../shared/http-client.ts";
import { isJsonObject } from "../shared/json-read.ts";
import { cutOff, failed } from "../shared/network-failure.ts";
import { modelName } from "../shared/outgoing.ts";
import type { Answer } from "../shared/post.ts";
import { readAnswer } from "../shared/read-answer.ts";
import { readStream } from "../shared/read-stream.ts";
import { bodyBuilder } from "./body.ts";
import { frameOf } from "./frame.ts";
import { replyReader, type ReplyOptions } from "./reply.ts";

export interface GeminiOptions extends HttpOptions {
  /** Default https://generativelanguage.googleapis.com/v1beta; with or without the version at its end. */
  readonly baseUrl?: string;
  /** Whether its models can be held to a JSON Schema. Default: they cannot. */
  readonly answerSchema?: Capabilities["answerSchema"];
  /** How its models are told how hard to think. Default: `level`. */
  readonly thinking?: Capabilities["thinking"];
}

/**
 * The Gemini API, streaming. Keeps its connections and the serialised form of the conversations it has sent: use one
 * client for many requests.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export function geminiClient(options: GeminiOptions): ModelClient {
  const url = endpoint(options.baseUrl ?? ownBaseUrl, withVersion);
  const buildBody = bodyBuilder({
    answerSchema: options.answerSchema ?? "refused",
    thinking: options.thinking ?? "level",
  });
  const headers = {
    accept: "text/event-stream",
    "content-type": "application/json",
    ...(options.apiKey === null ? {} : { "x-goog-api-key": options.apiKey }),
  };

  function requestFor(request: ModelRequest): Outgoing {
    return { url: streamUrl(url, modelName(request.model)), headers, body: buildBody(request) };
  }

  return httpClient(
    {
      url,
      requestFor,
      holdsReply: (contentType) => !/^text\/html\b/i.test(contentType),
      read: (answer, { request, peer }) => read(answer, { model: request.model, peer }),
    },
    options,
  );
}

/** Without `alt=sse` the frames come as one list; so do errors, with any status. */
function read(answer: Answer, about: ReplyOptions): AsyncGenerator<ModelChunk> {
  const { peer } = about;
  return readAnswer(answer.body, {
    peer,
    stream: (bytes) => readStream(bytes, { peer, reader: replyReader(about), frameOf }),
    whole(value, text) {
      const frames = (Array.isArray(value) ? value : [value]).filter(isJsonObject);
      if (!frames.some((frame) => frame["candidates"] !== undefined)) {
        return [failed(failureOfAnswer({ ...answer, body: text }, peer))];
      }
      const reader = replyReader(about);
      const shown = frames.flatMap((frame) => reader.accept(frame));
      return [...shown, ...reader.end(cutOff(peer, "it holds no finish reason"))];
    },
  });
}

const ownBaseUrl = "https://generativelanguage.googleapis.com";

const withVersion = (path: string): string =>
  /\/v\d+(?:alpha|beta)?\d*$/.test(path) ? path : `${path}/v1beta`;

/** A model is named in the path; tuned ones name their collection as well. */
function streamUrl(base: URL, model: string): URL {
  const name = model.includes("/") ? model : `models/${model}`;
  const path = name.split("/").map(encodeURIComponent).join("/");
  const url = new URL(base);
  url.pathname = `${base.pathname}/${path}:streamGenerateContent`;
  url.searchParams.set("alt", "sse");
  return url;
}
