import assert from "node:assert/strict";
import type { AssistantBlock, Json, JsonObject, Message, ThinkingLevel } from "#core";
import type { ModelClient, ModelRequest } from "#runtime";
import {
  anthropicClient,
  chatRequestProblems,
  dialectFor,
  fakeClock,
  geminiClient,
  geminiRequestProblems,
  openAiChatClient,
  openAiResponsesClient,
  requestProblems,
  responsesRequestProblems,
  textProtocol,
  type Dialect,
} from "#testing";
import { bodyBuilder as anthropicBuilder } from "../../../src/adapters/models/anthropic/body.ts";
import { bodyBuilder as geminiBuilder } from "../../../src/adapters/models/gemini/body.ts";
import { bodyBuilder as chatBuilder } from "../../../src/adapters/models/openai-chat/body.ts";
import { bodyBuilder as responsesBuilder } from "../../../src/adapters/models/openai-responses/body.ts";
import { requestsAsText } from "../../../src/adapters/models/text-protocol/request.ts";

/** A wire, for the laws that all of them keep. */
export interface TestWire {
  readonly name: string;
  /** Reference of a model that is asked over it. */
  readonly model: string;
  /** A client with the key `sk-of-nobody`. */
  client(url: string): ModelClient;
  /** Writes the bodies of requests, one after the other, as a client does. */
  builder(): (request: ModelRequest) => string;
  /** What the provider would say against a body. */
  problems(body: JsonObject, model: string): readonly string[];
  /** The conversation in a body. */
  readonly list: "messages" | "input" | "contents";
  isReply(element: JsonObject): boolean;
  /** Names or ids of the calls, and of the results, in one element of the conversation. */
  pairsIn(element: JsonObject): Pairs;
  /** A block with data of its own provider, as its reader leaves it. `n` differs from block to block. */
  asRead(block: AssistantBlock, n: number): AssistantBlock;
  /** Its models write calls as text. */
  readonly tools: "native" | "text";
}

export interface Pairs {
  readonly calls: readonly unknown[];
  readonly results: readonly unknown[];
}

const apiKey = "sk-of-nobody";
const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => typeof one === "object") : [];

const joined = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString("utf8");
const asItIs = (block: AssistantBlock): AssistantBlock => block;
const isAssistant = ({ role }: JsonObject): boolean => role === "assistant";

const answerSchema = "beside_tools";

const anthropic = (thinking: ThinkingLevel | null): TestWire => ({
  name: thinking === null ? "Anthropic" : "Anthropic with thinking",
  model: "anthropic/claude-test",
  client: (baseUrl) => anthropicClient({ apiKey, baseUrl, clock: fakeClock() }),
  builder: () => {
    const build = anthropicBuilder({ isOwnHost: true, answerSchema, thinking: "budget" });
    return (request) =>
      joined(build({ ...request, thinking: thinking ?? request.thinking ?? null }).parts);
  },
  problems: requestProblems,
  list: "messages",
  isReply: isAssistant,
  pairsIn: ({ content }) => ({
    calls: objectsIn(content).flatMap(({ type, id }) => (type === "tool_use" ? [id] : [])),
    results: objectsIn(content).flatMap(({ tool_use_id: id }) => (id === undefined ? [] : [id])),
  }),
  asRead: asItIs,
  tools: "native",
});

function dialectOf(provider: string, model: string): Dialect {
  const dialect = dialectFor(provider, { model });
  assert.ok(dialect !== null, provider);
  return dialect;
}

const chat = (provider: string, model = "test"): TestWire => ({
  name: `Chat Completions of ${provider}${model === "test" ? "" : `, ${model}`}`,
  model: `${provider}/${model}`,
  client: (url) =>
    openAiChatClient({
      apiKey,
      baseUrl: `${url}/v1`,
      clock: fakeClock(),
      dialect: dialectOf(provider, model),
    }),
  builder: () => {
    const build = chatBuilder(dialectOf(provider, model));
    return (request) => joined(build(request));
  },
  problems: chatRequestProblems,
  list: "messages",
  isReply: isAssistant,
  pairsIn: ({ tool_calls: calls, tool_call_id: id }) => ({
    calls: objectsIn(calls).map((call) => call["id"]),
    results: id === undefined ? [] : [id],
  }),
  asRead: asItIs,
  tools: "native",
});

const withData = (block: AssistantBlock, provider: string, data: JsonObject): AssistantBlock =>
  block.type === "opaque" ? { ...block, data } : { ...block, opaque: { provider, data } };

const responses: TestWire = {
  name: "Responses",
  model: "openai/gpt-test",
  client: (baseUrl) => openAiResponsesClient({ apiKey, baseUrl, clock: fakeClock() }),
  builder: () => {
    const build = responsesBuilder({
      isOwnHost: true,
      answerSchema,
      thinking: "reasoning_effort",
    });
    return (request) => joined(build(request));
  },
  problems: responsesRequestProblems,
  list: "input",
  isReply: ({ role, type }) =>
    role === "assistant" || /^(reasoning|.+_call)$/.test(typeof type === "string" ? type : ""),
  pairsIn: ({ type, call_id: id }) => ({
    calls: type === "function_call" ? [id] : [],
    results: type === "function_call_output" ? [id] : [],
  }),
  asRead(block, n) {
    if (block.type === "opaque" || block.opaque?.provider !== "openai") return block;
    if (block.type === "thinking") {
      const item = { type: "reasoning", id: `rs_${n}`, summary: [], encrypted_content: "c2Vj" };
      return withData(block, "openai", item);
    }
    if (block.type === "tool_use") {
      return withData(block, "openai", { id: `fc_${n}`, status: "completed" });
    }
    const part = { type: "output_text", annotations: [] };
    return withData(block, "openai", { id: `msg_${n}`, status: "completed", part });
  },
  tools: "native",
};

const gemini: TestWire = {
  name: "Gemini",
  model: "gemini/gemini-3-test",
  client: (baseUrl) => geminiClient({ apiKey, baseUrl, clock: fakeClock() }),
  builder: () => {
    const build = geminiBuilder({ answerSchema, thinking: "level" });
    return (request) => joined(build(request));
  },
  problems: (body, model) => geminiRequestProblems(body, { model: model.replace(/^[^/]*\//, "") }),
  list: "contents",
  isReply: ({ role }) => role === "model",
  pairsIn: ({ parts }) => {
    const named = (field: string): readonly unknown[] =>
      objectsIn(parts).flatMap((part) => objectsIn([part[field] ?? 0]).map(({ name }) => name));
    return { calls: named("functionCall"), results: named("functionResponse") };
  },
  asRead(block) {
    const signature = { thoughtSignature: "c2lnbmVk" };
    if (block.type === "opaque") {
      return block.provider === "gemini"
        ? withData(block, "gemini", { text: "", ...signature })
        : block;
    }
    return block.opaque?.provider === "gemini" ? withData(block, "gemini", signature) : block;
  },
  tools: "native",
};

const asText = (wire: TestWire): TestWire => ({
  ...wire,
  name: `text over ${wire.name}`,
  client: (url) => textProtocol(wire.client(url)),
  builder: () => {
    const [write, build] = [requestsAsText(), wire.builder()];
    return (request) => build(write(request));
  },
  pairsIn(element) {
    const json = JSON.stringify(element);
    const named = (tag: RegExp): readonly unknown[] =>
      [...json.matchAll(tag)].map(([, name]) => name);
    return wire.isReply(element)
      ? { calls: named(/\\n<invoke name=\\"(.*?)\\">/g), results: [] }
      : { calls: [], results: named(/\\n<result(?:-\d+)? tool=\\"(.*?)\\"/g) };
  },
  tools: "text",
});

const compatible = chat("openai-compatible");

export const wires: readonly TestWire[] = [
  anthropic(null),
  anthropic("low"),
  compatible,
  chat("deepseek"),
  chat("mistral"),
  chat("openrouter"),
  chat("openrouter", "anthropic/claude-sonnet-4.5"),
  responses,
  gemini,
  asText(compatible),
  asText(anthropic(null)),
  asText(responses),
  asText(gemini),
];

/** Messages in which every block of this wire's provider is as its reader leaves it. */
export function asReadBy(wire: TestWire, messages: readonly Message[]): readonly Message[] {
  let n = 0;
  return messages.map((message) =>
    message.role === "user"
      ? message
      : { ...message, blocks: message.blocks.map((block) => wire.asRead(block, n++)) },
  );
}

/** Checks that every call is answered once, in order, before anything else is said; gives their number. */
export function assertPaired(wire: TestWire, body: string): number {
  let open: unknown[] = [];
  let count = 0;
  for (const element of listIn(wire, body)) {
    const { calls, results } = wire.pairsIn(element);
    for (const result of results) assert.equal(result, open.shift(), wire.name);
    if (results.length === 0 && (calls.length === 0 || !isPart(wire)))
      assert.deepEqual(open, [], wire.name);
    open = [...open, ...calls];
    count += calls.length;
  }
  assert.deepEqual(open, [], wire.name);
  return count;
}

/** Calls of one reply are elements of their own. */
const isPart = ({ list }: TestWire): boolean => list === "input";

/** Checks that the provider would take a body. */
export function assertValid(wire: TestWire, json: string, model: string): void {
  const body = JSON.parse(json) as JsonObject; // made by a builder
  assert.deepEqual(wire.problems(body, model), [], `${wire.name}: ${json.slice(0, 4000)}`);
}

/**
 * Checks that a conversation goes on as it was: byte for byte, cache marks apart.
 * @param is `answered`: a model has said something since; `open`: the user's side may have grown
 */
export function assertGoesOn(
  wire: TestWire,
  [before, after]: readonly [before: string, after: string],
  is: "answered" | "open",
): void {
  const headOf = (body: string): string => body.slice(0, body.indexOf(`"${wire.list}":[`));
  assert.equal(headOf(after), headOf(before), wire.name);
  const [was, becomes] = [elementsOf(wire, before), elementsOf(wire, after)];
  const lastReply = was.findLastIndex(({ isReply }) => isReply);
  const fixed = is === "answered" ? was : was.slice(0, lastReply + 1);
  assert.deepEqual(
    becomes.slice(0, fixed.length).map(({ json }) => json),
    fixed.map(({ json }) => json),
    wire.name,
  );
}

interface Element {
  /** As it stands in the body: builders write JSON without white space. */
  readonly json: string;
  readonly isReply: boolean;
}

function elementsOf(wire: TestWire, json: string): readonly Element[] {
  return listIn(wire, json).map((element) => {
    const unmarked = JSON.stringify(element).replaceAll(markJson, "");
    return { json: unmarked, isReply: wire.isReply(element) };
  });
}

function listIn(wire: TestWire, json: string): readonly JsonObject[] {
  const list = (JSON.parse(json) as JsonObject)[wire.list];
  assert.ok(Array.isArray(list));
  return objectsIn(list);
}

const markJson = ',"cache_control":{"type":"ephemeral"}';
