import { anthropicClient, modelConformance, scriptedClient, startScriptedServer } from "#testing";

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
