import { usualCapabilities } from "./capabilities.ts";
import {
  lookUpModel,
  withKnowledge,
  type ModelFacts,
  type ModelOverrides,
} from "./catalog/look-up.ts";
import { readScript, scriptPath } from "./scripted/script.ts";

/**
 * Window, output limit, price and tools of `provider/model`: what the user says, else what a script says of itself, else the
 * table. The scripted model costs nothing unless its script names a price.
 * @throws PawlError `script_unreadable`, `script_invalid`
 */
export function modelFacts(
  ref: string,
  options: { readonly cwd: string; readonly overrides?: ModelOverrides },
): ModelFacts {
  const path = scriptPath(ref, options.cwd);
  if (path === null) return lookUpModel(ref, options.overrides);
  const { price, window, tools } = readScript(path);
  const facts: ModelFacts = {
    known: true,
    window: window ?? null,
    maxOutputTokens: null,
    price: { input: 0, output: 0, cacheRead: null, cacheWrite: null, ...price },
    tools: tools ?? usualCapabilities.tools,
    images: usualCapabilities.images,
    thinking: usualCapabilities.thinking,
  };
  return withKnowledge(facts, ref, options.overrides);
}
