import { listIn, nameIn, tokensIn, writesText } from "./listed.ts";
import type { Tell } from "./server.ts";

/**
 * vLLM: `/v1/models` says the window of each model. Whether the server was started to read calls it does not say.
 * Source: "OpenAI-Compatible Server", vLLM documentation, 2026-11.
 */
export const tellVllm: Tell = async (ask) => {
  const list = await ask("/v1/models");
  const listed = listIn(list, "data");
  if (listed === null) return list;
  return listed.flatMap((model) => {
    const name = nameIn(model, "id");
    if (name === null || !writesText(name)) return [];
    const window = tokensIn(model["max_model_len"]);
    const knowledge = window === null ? {} : { window };
    return [{ name, isLoaded: true, knowledge, windowMayBeLess: false }];
  });
};
