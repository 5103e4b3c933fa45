import type { JsonObject } from "#core";
import { objectOf } from "../shared/json-read.ts";
import { listIn, nameIn, tokensIn, valueIn, writesText } from "./listed.ts";
import type { LocalKnowledge, LocalModel, Tell } from "./server.ts";

/**
 * llama.cpp: `/v1/models` names what is served, `/props` says with which window and what its template can do. A server
 * that routes to several models has properties for none of them. Source: `tools/server/README.md` and
 * `common/jinja/caps.h` of llama.cpp, 2026-11.
 */
export const tellLlamaCpp: Tell = async (ask) => {
  const [list, props] = await Promise.all([ask("/v1/models"), ask("/props")]);
  const listed = listIn(list, "data");
  if (listed === null) return list;
  const kinds = kindsOf(listIn(list, "models") ?? []);
  const known = listed.length === 1 ? knowledgeIn(valueIn(props)) : {};
  const models = listed.flatMap((model) => modelOf(model, { kinds, known }) ?? []);
  return models.toSorted((a, b) => Number(b.isLoaded) - Number(a.isLoaded));
};

/** Names with what they are for: `completion`, `embedding`. */
function kindsOf(models: readonly JsonObject[]): ReadonlyMap<string, readonly unknown[]> {
  return new Map(
    models.flatMap((model) => {
      const name = nameIn(model, "model") ?? nameIn(model, "name");
      const kinds = model["capabilities"];
      return name !== null && Array.isArray(kinds) ? [[name, kinds] as const] : [];
    }),
  );
}

interface About {
  readonly kinds: ReadonlyMap<string, readonly unknown[]>;
  readonly known: LocalKnowledge;
}

function modelOf(model: JsonObject, { kinds, known }: About): LocalModel | null {
  const name = nameIn(model, "id");
  if (name === null) return null;
  const kind = kinds.get(name);
  if (kind === undefined ? !writesText(name) : !kind.includes("completion")) return null;
  const trained = tokensIn(objectOf(model["meta"])?.["n_ctx_train"]);
  const status = objectOf(model["status"])?.["value"];
  return {
    name,
    isLoaded: status === undefined || status === "loaded",
    knowledge: { ...(trained === null ? {} : { window: trained }), ...known },
    windowMayBeLess: known.window === undefined && trained !== null,
  };
}

/** Templates that have no place for tools drop them without a word: such models write their calls as text. */
function knowledgeIn(props: JsonObject | null): LocalKnowledge {
  const window = tokensIn(objectOf(props?.["default_generation_settings"])?.["n_ctx"]);
  const canCall = objectOf(props?.["chat_template_caps"])?.["supports_tools"];
  const sees = objectOf(props?.["modalities"])?.["vision"];
  return {
    ...(window === null ? {} : { window }),
    ...(typeof canCall === "boolean" ? { tools: canCall ? "native" : "text" } : {}),
    ...(typeof sees === "boolean" ? { images: sees ? "taken" : "refused" } : {}),
  };
}
