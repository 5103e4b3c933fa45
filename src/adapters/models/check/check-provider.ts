import type { Failure } from "#core";
import type { Clock } from "#runtime";
import type { Dialect, Wire } from "../capabilities.ts";
import { connections } from "../../network/index.ts";
import { askJson, type Heard } from "../shared/ask-json.ts";
import { endpoint } from "../shared/endpoint.ts";
import { failureOfAnswer, type Peer } from "../shared/error-answer.ts";
import { lowerCased } from "../shared/http-client.ts";
import { secretsIn } from "../shared/secrets.ts";

/** How a provider is to be reached. */
export interface CheckOptions {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly withinMs: number;
  /** Where proxies are named. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What a provider said to somebody who wants nothing but to be let in. */
export type Checked =
  /** The key is good. */
  | { readonly type: "let_in" }
  /** There is a server, and not this API: 404, a web page, or nothing that makes sense. */
  | { readonly type: "wrong_address"; readonly status: number; readonly isHtml: boolean }
  | { readonly type: "redirect"; readonly to: string }
  | { readonly type: "silent" }
  /** `auth`: the key is not; `tls`, `network`: it was not reached. */
  | { readonly type: "failure"; readonly failure: Failure };

/**
 * Asks a provider for its list of models (or what else shows that a key is good): no tokens are spent. Never throws
 * but for what the settings of the machine make impossible.
 * @throws PawlError `invalid_base_url`, `invalid_proxy`
 */
export async function checkProvider(dialect: Dialect, options: CheckOptions): Promise<Checked> {
  const { baseUrl, apiKey, clock, withinMs, env } = options;
  const url = endpoint(baseUrl, (path) => listPath[dialect.wire](path, dialect.keyPath));
  const peer: Peer = {
    name: url.host,
    secrets: secretsIn({ url, apiKey, headers: options.headers }),
    now: () => clock.now(),
  };
  const agent = connections(url, env ?? process.env);
  try {
    const heard = await askJson({
      url,
      headers: headersFor(dialect, options),
      agent,
      peer,
      clock,
      withinMs,
    });
    return checked(heard, peer);
  } finally {
    agent.destroy();
  }
}

/** Behind the base URL, whether or not that ends in its version. */
const listPath: Readonly<Record<Wire, (base: string, keyPath?: string) => string>> = {
  anthropic: (base) => `${base.replace(/\/v1$/, "")}/v1/models`,
  gemini: (base) => `${/\/v\d+(?:alpha|beta)?\d*$/.test(base) ? base : `${base}/v1beta`}/models`,
  responses: (base) => `${base === "" ? "/v1" : base}/models`,
  chat: (base, keyPath = "/models") => `${base === "" ? "/v1" : base}${keyPath}`,
};

function headersFor(
  { wire, keyHeader }: Dialect,
  { apiKey, headers }: CheckOptions,
): Readonly<Record<string, string>> {
  const key = keyHeader === "authorization" ? `Bearer ${apiKey}` : (apiKey ?? "");
  return {
    ...(wire === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}),
    ...(apiKey === null ? {} : { [keyHeader]: key }),
    ...lowerCased(headers),
  };
}

function checked(heard: Heard, peer: Peer): Checked {
  switch (heard.type) {
    case "json": {
      const { status, value } = heard;
      if (status < 300) return { type: "let_in" };
      if (status === 404) return { type: "wrong_address", status, isHtml: false };
      const answer = { status, headers: {}, body: JSON.stringify(value) };
      return { type: "failure", failure: failureOfAnswer(answer, peer) };
    }
    case "no_json": {
      const { status, isHtml } = heard;
      // A gateway's own page, or a key that was refused without words.
      const isAddress = status < 300 || status === 404;
      if (isAddress) return { type: "wrong_address", status, isHtml };
      return {
        type: "failure",
        failure: failureOfAnswer({ status, headers: {}, body: "" }, peer),
      };
    }
    case "too_large":
      // Long lists of models are for those who were let in.
      return heard.status < 300
        ? { type: "let_in" }
        : { type: "wrong_address", status: heard.status, isHtml: false };
    case "redirect":
      return { type: "redirect", to: heard.to };
    case "silent":
      return { type: "silent" };
    case "failure":
      return heard;
    default:
      return heard satisfies never;
  }
}
