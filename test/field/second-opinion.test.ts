import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { plainText, type ReplyBlock } from "#core";
import { fakeClock, startScriptedServer, type ScriptedServer } from "#testing";
import { fixturesFolder } from "./fixtures.ts";
import { requestOf } from "./streams/play.ts";
import { recordingsIn, type Recording } from "./streams/recording.ts";
import { wires } from "./streams/wires.ts";

interface Opinion {
  readonly text: string;
  /** Names of the tools called, with their arguments. */
  readonly calls: readonly (readonly [string, unknown])[];
}

const key = { apiKey: "sk-nobody", maxRetries: 0 } as const;
const ask = [{ role: "user" as const, content: "Go." }];

/** How the provider's own library reads what the server sends. */
const libraries: Readonly<Record<string, (server: ScriptedServer) => Promise<Opinion>>> = {
  async anthropic({ url }) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ ...key, baseURL: url });
    const { content } = await client.messages
      .stream({ model: "m", max_tokens: 9, messages: ask })
      .finalMessage();
    return {
      text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: content.flatMap((block) =>
        block.type === "tool_use" ? [[block.name, block.input] as const] : [],
      ),
    };
  },
  async "openai-chat"({ url }) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ ...key, baseURL: `${url}/v1` });
    const { choices } = await client.chat.completions
      .stream({ model: "m", messages: ask })
      .finalChatCompletion();
    const message = choices[0]?.message;
    return {
      text: message?.content ?? "",
      calls: (message?.tool_calls ?? []).flatMap((call) =>
        call.type === "function"
          ? [[call.function.name, JSON.parse(call.function.arguments || "{}")] as const]
          : [],
      ),
    };
  },
  async "openai-responses"({ url }) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ ...key, baseURL: `${url}/v1` });
    const { output } = await client.responses.stream({ model: "m", input: "Go." }).finalResponse();
    return {
      text: output
        .flatMap((item) => (item.type === "message" ? item.content : []))
        .map((part) => (part.type === "output_text" ? part.text : part.refusal))
        .join(""),
      calls: output.flatMap((item) => {
        if (item.type === "function_call")
          return [[item.name, JSON.parse(item.arguments)] as const];
        if (item.type === "custom_tool_call") return [[item.name, { input: item.input }] as const];
        return item.type === "local_shell_call" ? [["local_shell", item.action] as const] : [];
      }),
    };
  },
  async gemini({ url }) {
    const { GoogleGenAI } = await import("@google/genai");
    const client = new GoogleGenAI({ apiKey: key.apiKey, httpOptions: { baseUrl: url } });
    const stream = await client.models.generateContentStream({ model: "m", contents: "Go." });
    let text = "";
    const calls: (readonly [string, unknown])[] = [];
    for await (const chunk of stream) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.thought !== true) text += part.text ?? "";
        if (part.functionCall?.name)
          calls.push([part.functionCall.name, part.functionCall.args ?? {}]);
      }
    }
    return { text, calls };
  },
};

/** What we read in it; null when it is no whole reply. */
async function ours({ wire }: Recording, { url }: ScriptedServer): Promise<Opinion | null> {
  const { signal } = new AbortController();
  let blocks: readonly ReplyBlock[] | null = null;
  for await (const chunk of wire.client(url, fakeClock()).stream(requestOf(wire), { signal })) {
    if (chunk.type === "end") blocks = chunk.reply.blocks;
  }
  if (blocks === null) return null;
  return {
    text: plainText(blocks),
    calls: blocks.flatMap((block) =>
      block.type === "tool_use" ? [[block.tool, block.input] as const] : [],
    ),
  };
}

/** Where a library is wrong, and how. */
const misread: ReadonlyMap<string, string> = new Map([
  ["anthropic/max-tokens-inside-tool-json", "half of the arguments, as if they were all"],
  ["gemini/no-args-then-streamed-args", "no arguments that come in pieces"],
  ["gemini/partial-args", "no arguments that come in pieces"],
  ["openai-chat/mistral-content-is-list", "[object Object]"],
  ["openai-responses/made-incomplete-content-filter", "no text of a reply that is incomplete"],
  ["openai-responses/made-incomplete-max-output-tokens", "no text of a reply that is incomplete"],
]);

/** Streams that both read, at the least: the rest ends in an error, or the library throws. */
const fewest: Readonly<Record<string, number>> = {
  anthropic: 20,
  "openai-chat": 18,
  "openai-responses": 9,
  gemini: 7,
};

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const { recordings } = folder === null ? { recordings: [] } : recordingsIn(join(folder, "streams"));

describe("the providers' own libraries as a second opinion", { skip }, () => {
  for (const { name } of wires) {
    test(`${name}: what its library can read, it reads as we do`, async (context) => {
      context.mock.method(console, "error", () => {});
      let agreed = 0;
      for (const recording of recordings.filter(({ wire }) => wire.name === name)) {
        const { sse } = recording;
        await using server = await startScriptedServer({
          turns: [{ sse }, { sse }],
          checks: "light",
        });
        const own = await ours(recording, server);
        const theirs = await libraries[name]?.(server).catch(() => null);
        if (own === null || theirs === null || misread.has(recording.name)) continue;
        assert.deepEqual(theirs, own, recording.name);
        agreed += 1;
      }
      assert.ok(agreed >= (fewest[name] ?? 1), `${agreed} streams were read by both`);
    });
  }
});
