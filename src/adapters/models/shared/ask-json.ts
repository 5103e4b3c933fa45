import type { Agent } from "node:http";
import type { Failure, Json, JsonObject } from "#core";
import type { Clock } from "#runtime";
import type { Peer } from "./error-answer.ts";
import { parseJson } from "./json-read.ts";
import { post, usualPatience } from "./post.ts";
import { safeText } from "./secrets.ts";
import { wholeText } from "./whole-text.ts";

/** A short question, and the most that may come of it. */
export interface Question {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** With one it is a POST. */
  readonly body?: JsonObject;
  readonly agent: Agent;
  readonly peer: Peer;
  readonly clock: Clock;
  /** Until the whole answer is there. */
  readonly withinMs: number;
}

/** What came of a question. Everything but `json` with a status below 300 says why it is of no use. */
export type Heard =
  | { readonly type: "json"; readonly status: number; readonly value: Json }
  /** Not JSON: `html` is what other servers show to browsers. */
  | { readonly type: "no_json"; readonly status: number; readonly isHtml: boolean }
  | { readonly type: "too_large"; readonly status: number }
  | { readonly type: "redirect"; readonly status: number; readonly to: string }
  /** No whole answer in time. */
  | { readonly type: "silent" }
  | { readonly type: "failure"; readonly failure: Failure };

/** Lists of models are some kilobytes long. */
const mostBytes = 2 * 1024 * 1024;

/** Asks, follows no redirect, and waits for nothing longer than it was told to. Never throws. */
export async function askJson(question: Question): Promise<Heard> {
  const { url, body, agent, peer, clock, withinMs } = question;
  const over = new AbortController();
  const late = new AbortController();
  const timer = clock.sleep(withinMs, over.signal).then(() => late.abort());
  try {
    const answer = await post({
      url,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...question.headers,
      },
      body: body === undefined ? [] : [Buffer.from(JSON.stringify(body))],
      agent,
      peer,
      patience: usualPatience,
      clock,
      signal: late.signal,
    });
    if ("class" in answer) return unheard(answer);
    const { status, headers } = answer;
    if (status >= 300 && status < 400) {
      return { type: "redirect", status, to: safeText(headers["location"] ?? "", peer.secrets) };
    }
    const text = await wholeText(answer.body, mostBytes);
    if (text === null) return { type: "too_large", status };
    if (answer.body.failure !== null) return unheard(answer.body.failure);
    const { value, problem } = parseJson(text);
    if (problem === null) return { type: "json", status, value };
    const isHtml = /^text\/html\b/i.test(headers["content-type"] ?? "") || /^\s*</.test(text);
    return { type: "no_json", status, isHtml };
  } finally {
    over.abort();
    await timer;
  }
}

/** Only the time limit of this question aborts it. */
const unheard = (failure: Failure): Heard =>
  failure.class === "aborted" ? { type: "silent" } : { type: "failure", failure };
