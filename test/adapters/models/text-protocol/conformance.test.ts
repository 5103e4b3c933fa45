import {
  anthropicClient,
  dialectFor,
  geminiClient,
  modelConformance,
  openAiChatClient,
  openAiResponsesClient,
  scriptedClient,
  startScriptedServer,
  textProtocol,
  type FakeClock,
  type Inability,
  type MakeModel,
} from "#testing";
import type { ModelClient } from "#runtime";

/** A model that knows no tools, behind a wire. */
const over =
  (
    model: string,
    wire: (url: string, clock: FakeClock) => ModelClient,
    cannot: readonly Inability[] = [],
  ): MakeModel =>
  async (turns, clock) => {
    const server = await startScriptedServer({ turns: { turns, tools: "text" }, clock });
    return {
      client: textProtocol(wire(server.url, clock)),
      model,
      clock,
      cannot: ["give_ids", ...cannot],
      dispose: () => server.close(),
    };
  };

const apiKey = "sk-test";
const dialect = dialectFor("openai-compatible");
if (dialect === null) throw new Error("the dialect of unknown servers is gone");

modelConformance(
  "R106 text protocol over the Chat wire",
  over("openai-compatible/test", (url, clock) =>
    openAiChatClient({ apiKey, baseUrl: `${url}/v1`, clock, dialect }),
  ),
);

modelConformance(
  "R106 text protocol over the Anthropic wire",
  over("anthropic/test", (baseUrl, clock) => anthropicClient({ apiKey, baseUrl, clock })),
);

modelConformance(
  "R106 text protocol over the Responses wire",
  over("openai/test", (baseUrl, clock) => openAiResponsesClient({ apiKey, baseUrl, clock })),
);

modelConformance(
  "R106 text protocol over the Gemini wire",
  over("gemini/test", (baseUrl, clock) => geminiClient({ apiKey, baseUrl, clock }), [
    "say_cache_writes",
  ]),
);

modelConformance("R106 text protocol over the scripted model", async (turns, clock) => ({
  client: textProtocol(
    scriptedClient({ ref: "scripted/test.json", turns: { turns, tools: "text" }, clock }),
  ),
  model: "scripted/test.json",
  clock,
  cannot: ["give_ids"],
}));
