import assert from "node:assert/strict";
import { dialectFor, modelConformance, openAiChatClient, startScriptedServer } from "#testing";

modelConformance("openai-chat over a socket", async (turns, clock) => {
  const server = await startScriptedServer({ turns, clock });
  const dialect = dialectFor("openai-compatible");
  assert.ok(dialect !== null);
  return {
    client: openAiChatClient({ apiKey: "sk-test", baseUrl: `${server.url}/v1`, clock, dialect }),
    model: "openai-compatible/test",
    clock,
    dispose: () => server.close(),
  };
});
