import type { JsonObject } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { listIn, nameIn, tokensIn, valueIn, writesText } from "./listed.ts";
import type { LocalKnowledge, LocalModel, Tell } from "./server.ts";

/**
 * Ollama: `/api/tags` lists what is there, `/api/ps` what is in memory and with which window, `/api/show` what a model
 * can do. Source: "API" and "Context length", Ollama documentation, 2026-11.
 */
export const tellOllama: Tell = async (ask, only) => {
  const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
  const listed = listIn(tags, "models");
  if (listed === null) return tags;
  const windows = runningWindows(listIn(running, "models") ?? []);
  const names = listed.flatMap((model) => nameIn(model, "name") ?? nameIn(model, "model") ?? []);
  const wanted = only === null ? names : names.filter((name) => isCalled(name, only));
  const loadedFirst = wanted.toSorted(
    (a, b) => Number(windows.has(b)) - Number(windows.has(a)), // stable: the server lists the latest first
  );
  const shown = await Promise.all(
    loadedFirst.slice(0, mostShown).map((name) => ask("/api/show", { model: name })),
  );
  return loadedFirst.flatMap((name, index) => {
    const heard = shown[index];
    return modelOf(name, heard === undefined ? null : valueIn(heard), windows) ?? [];
  });
};

/** Each is a question of its own: a long list is not worth as many. */
const mostShown = 40;

/** `:latest` is what a name without a tag means. */
const isCalled = (name: string, wanted: string): boolean =>
  name === wanted || name === `${wanted}:latest`;

/** Names of models in memory, with the tokens they were given; null when it is not said. */
function runningWindows(models: readonly JsonObject[]): ReadonlyMap<string, number | null> {
  return new Map(
    models.flatMap((model) => {
      const name = nameIn(model, "name") ?? nameIn(model, "model");
      return name === null ? [] : [[name, tokensIn(model["context_length"])] as const];
    }),
  );
}

function modelOf(
  name: string,
  shown: JsonObject | null,
  windows: ReadonlyMap<string, number | null>,
): LocalModel | null {
  const capabilities = shown?.["capabilities"];
  const can = Array.isArray(capabilities) ? capabilities : null;
  if (can === null ? !writesText(name) : !can.includes("completion")) return null;
  const given = windows.get(name) ?? givenWindow(shown);
  const window = given ?? trainedWindow(shown);
  const knowledge: LocalKnowledge = {
    ...(window === null ? {} : { window }),
    ...(can === null
      ? {}
      : {
          tools: can.includes("tools") ? "native" : "text",
          images: can.includes("vision") ? "taken" : "refused",
        }),
  };
  // A model of somebody else's machine has its whole window.
  const isRemote = stringOf(shown?.["remote_host"]) !== null;
  const windowMayBeLess = given === null && window !== null && !isRemote;
  return { name, isLoaded: windows.has(name), knowledge, windowMayBeLess };
}

/** `num_ctx 32768` among the lines of its parameters. */
function givenWindow(shown: JsonObject | null): number | null {
  const written = /^num_ctx\s+(\d+)\s*$/m.exec(stringOf(shown?.["parameters"]) ?? "")?.[1];
  return written === undefined ? null : tokensIn(Number(written));
}

function trainedWindow(shown: JsonObject | null): number | null {
  const info = objectOf(shown?.["model_info"]);
  const architecture = stringOf(info?.["general.architecture"]);
  return architecture === null ? null : tokensIn(info?.[`${architecture}.context_length`]);
}
