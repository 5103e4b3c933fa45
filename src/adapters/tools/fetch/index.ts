import type { AnyTool } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { integerField, optional, textField, type InputOf } from "../fields.ts";
import { mostCharacters } from "../shared/cap-text.ts";
import { text as description } from "./fetch.generated.ts";
import type { Resolve } from "./get.ts";

/** Longer addresses are refused by servers, and nobody could judge them. */
const longestUrl = 4000;
const timeoutMs = 60_000;

const fields = {
  url: textField("Address, with http:// or https://."),
  limit: optional(
    integerField("Most characters to show (30000).", { least: 100, most: mostCharacters }),
  ),
};

export interface FetchOptions {
  /** Hosts, with a port or without, that may have an address of this machine or its network. */
  readonly privateHosts?: readonly string[];
  /** How names become addresses; by default as the system does it. */
  readonly resolve?: Resolve | undefined;
}

/** `fetch`: a page of the web as text. */
export function fetchTool({ privateHosts = [], resolve }: FetchOptions = {}): AnyTool {
  return defineTool({
    name: "fetch",
    description,
    fields,
    check,
    // A GET by its meaning changes nothing at the server.
    recovery: "rerun",
    timeoutMs: () => timeoutMs,
    need: ({ url }) => ({ access: "network", resources: [judgedUrl(url)] }),
    run: async (input, context) => {
      const { runFetch } = await import("./run-fetch.ts");
      const { limit = mostCharacters } = input;
      const get = { privateHosts, resolve, environment: process.env };
      return await runFetch({ url: judgedUrl(input.url), limit, get }, context);
    },
  });
}

/** As it goes out, so that what a rule says and what is asked for are the same. */
function judgedUrl(written: string): string {
  const url = new URL(written.trim());
  url.hash = "";
  return url.href;
}

function check({ url: written }: InputOf<typeof fields>): string | null {
  if (written.length > longestUrl) return `\`url\` is longer than ${longestUrl} characters`;
  const url = URL.parse(written.trim());
  if (url === null) return "`url` is no complete address; one begins with https://";
  if (!/^https?:$/.test(url.protocol)) return "`url` must begin with http:// or https://";
  if (url.username !== "" || url.password !== "")
    return "`url` holds a user name or password; no secret may stand in an address";
  return null;
}
