import type { JsonObject } from "#core";
import { listIn, nameIn, tokensIn, writesText } from "./listed.ts";
import type { LocalModel, Tell } from "./server.ts";

/**
 * LM Studio: its own `/api/v0/models` says what is loaded and with which window; versions without it list names only.
 * Models without calls of their own are taught them by the server. Source: "REST API v0", LM Studio documentation,
 * 2026-11.
 */
export const tellLmStudio: Tell = async (ask) => {
  const [own, plain] = await Promise.all([ask("/api/v0/models"), ask("/v1/models")]);
  const listed = listIn(own, "data");
  if (listed === null) {
    const names = listIn(plain, "data");
    return names === null ? plain : names.flatMap((model) => namedModel(model) ?? []);
  }
  const models = listed.flatMap((model) => modelOf(model) ?? []);
  return models.toSorted((a, b) => Number(b.isLoaded) - Number(a.isLoaded));
};

function namedModel(model: JsonObject): LocalModel | null {
  const name = nameIn(model, "id");
  if (name === null || !writesText(name)) return null;
  return { name, isLoaded: false, knowledge: {}, windowMayBeLess: false };
}

function modelOf(model: JsonObject): LocalModel | null {
  const name = nameIn(model, "id");
  const kind = model["type"];
  if (name === null || (kind === undefined ? !writesText(name) : kind === "embeddings"))
    return null;
  const given = tokensIn(model["loaded_context_length"]);
  const window = given ?? tokensIn(model["max_context_length"]);
  return {
    name,
    isLoaded: model["state"] === "loaded",
    knowledge: {
      ...(window === null ? {} : { window }),
      ...(kind === "vlm" ? { images: "taken" } : kind === "llm" ? { images: "refused" } : {}),
    },
    windowMayBeLess: given === null && window !== null,
  };
}
