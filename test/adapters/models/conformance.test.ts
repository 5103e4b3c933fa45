import {
  anthropicClient,
  geminiClient,
  modelConformance,
  openAiResponsesClient,
  scriptedClient,
  startScriptedServer,
} from "#testing";

modelConformance("anthropic over a socket", async (turns, clock) => {
  const server = await startScriptedServer({ turns, clock });
  return {
    client: anthropicClient({ apiKey: "sk-test", baseUrl: server.url, clock }),
    model: "anthropic/claude-test",
    clock,
    dispose: () => server.close(),
  };
});

modelConformance("scripted in process", async (turns, clock) => ({
  client: scriptedClient({ ref: "scripted/test.json", turns, clock }),
  model: "scripted/test.json",
  clock,
}));

modelConformance("openai responses over a socket", async (turns, clock) => {
  const server = await startScriptedServer({ turns, clock });
  return {
    client: openAiResponsesClient({ apiKey: "sk-test", baseUrl: server.url, clock }),
    model: "openai/gpt-test",
    clock,
    dispose: () => server.close(),
  };
});

modelConformance("gemini over a socket", async (turns, clock) => {
  const server = await startScriptedServer({ turns, clock });
  return {
    client: geminiClient({ apiKey: "key-test", baseUrl: server.url, clock }),
    model: "gemini/gemini-3-test",
    clock,
    cannot: ["say_cache_writes", "break_arguments"],
    dispose: () => server.close(),
  };
});
