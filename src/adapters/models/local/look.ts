import type { Clock } from "#runtime";
import { connections } from "../../network/index.ts";
import { askJson, type Heard } from "../shared/ask-json.ts";
import { endpoint } from "../shared/endpoint.ts";
import { tellLlamaCpp } from "./llama-cpp.ts";
import { tellLmStudio } from "./lm-studio.ts";
import { tellOllama } from "./ollama.ts";
import type { LocalModel, LocalServer, LocalTrouble, Tell } from "./server.ts";
import { tellVllm } from "./vllm.ts";

/** Where a server may be, and how one gets in. */
export interface LocalPlace {
  readonly provider: string;
  /** With or without `/v1` at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LookOptions {
  readonly clock: Clock;
  /** For everything that is asked of one server. */
  readonly withinMs: number;
  /** The model that matters; others are then not looked at closely. */
  readonly only?: string;
  /** Where proxies are named. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const tellers: Readonly<Record<string, Tell>> = {
  ollama: tellOllama,
  lmstudio: tellLmStudio,
  llamacpp: tellLlamaCpp,
  vllm: tellVllm,
};

/**
 * What the servers at these places offer, in the order of the places; all are asked at once. Whatever is there, it
 * takes no longer than `withinMs`, and never throws.
 */
export function lookForServers(
  places: readonly LocalPlace[],
  options: LookOptions,
): Promise<readonly LocalServer[]> {
  return Promise.all(places.map((place) => look(place, options)));
}

async function look(place: LocalPlace, options: LookOptions): Promise<LocalServer> {
  const { provider, baseUrl } = place;
  try {
    const told = await tell(place, options);
    if (!("type" in told)) return { provider, baseUrl, at: "found", models: told };
    if (told.type === "failure" && told.failure.class === "network") {
      return { provider, baseUrl, at: "absent", why: told.failure.message };
    }
    return { provider, baseUrl, at: "trouble", trouble: troubleOf(told) };
  } catch (error) {
    // Settings no question can be asked with: an address or a proxy that is none.
    const message = error instanceof Error ? error.message : String(error);
    return { provider, baseUrl, at: "trouble", trouble: { type: "failure", message } };
  }
}

async function tell(
  place: LocalPlace,
  { clock, withinMs, only, env }: LookOptions,
): Promise<readonly LocalModel[] | Heard> {
  const root = endpoint(place.baseUrl, (path) => path.replace(/\/v1$/, ""));
  const agent = connections(root, env ?? process.env);
  const until = clock.monotonicMs() + withinMs;
  const secrets = [place.apiKey ?? "", ...Object.values(place.headers)];
  const peer = { name: root.host, secrets, now: () => clock.now() };
  const { apiKey } = place;
  const headers = {
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...place.headers,
  };
  try {
    return await (tellers[place.provider] ?? tellVllm)((path, body) => {
      const url = endpoint(root.href, (base) => `${base}${path}`);
      const leftMs = Math.max(0, until - clock.monotonicMs());
      const question = { url, headers, agent, peer, clock, withinMs: leftMs };
      return askJson(body === undefined ? question : { ...question, body });
    }, only ?? null);
  } finally {
    agent.destroy();
  }
}

function troubleOf(heard: Heard): LocalTrouble {
  switch (heard.type) {
    case "json":
      if (heard.status === 401 || heard.status === 403) {
        return { type: "locked", status: heard.status };
      }
      return heard.status < 300 ? { type: "no_list" } : { type: "status", status: heard.status };
    case "no_json":
      if (heard.status === 401 || heard.status === 403) {
        return { type: "locked", status: heard.status };
      }
      return { type: "no_json", isHtml: heard.isHtml };
    case "redirect":
      return { type: "redirect", to: heard.to };
    case "failure":
      return { type: "failure", message: heard.failure.message };
    case "silent":
    case "too_large":
      return { type: heard.type };
    default:
      return heard satisfies never;
  }
}
