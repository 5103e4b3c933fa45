import type { Json } from "#core";
import type { Words } from "#i18n";
import { findKey, modes } from "./keys.ts";
import { parseTurns } from "./limits.ts";
import type { Gathered, Layer, Setting } from "./read.ts";

/** Strongest first (contract, section 4). */
const layers: readonly Layer[] = ["flag", "environment", "project", "user", "default"];

/**
 * One setting per key: the strongest layer wins, except that a project may only tighten what the user or the
 * default has set.
 */
export function mergeSettings(all: readonly Setting[], words: Words): Gathered {
  const strongest = (key: string, among: readonly Layer[], from = all): Setting | undefined =>
    among.flatMap((layer) => from.filter((one) => one.layer === layer && one.key === key)).at(0);
  const tooFree = all.filter(
    (one) =>
      one.layer === "project" &&
      !mayProjectSet(one, strongest(one.key, ["user", "default"])?.value),
  );
  const counted = all.filter((one) => !tooFree.includes(one));
  const keys = [...new Set(counted.map((one) => one.key))];
  return {
    settings: keys.flatMap((key) => strongest(key, layers, counted) ?? []),
    notices: tooFree.map((one) => words.config.loosening(one.where, one.key)),
  };
}

/** `own`: what holds without the project. */
function mayProjectSet(setting: Setting, own: Json | undefined): boolean {
  const key = findKey(setting.key.split("."));
  if (key === null || key === "group" || key.project === "nothing") return false;
  // A scripted model is a program: it decides which calls are made.
  if (key.kind === "model")
    return typeof setting.value === "string" && !setting.value.startsWith("scripted/");
  if (key.project === "set") return true;
  if (key.kind === "mode") return rank(setting.value) <= rank(own);
  const limit = key.kind === "turns" ? parseTurns(setting.value) : setting.value;
  const ownLimit = key.kind === "turns" ? parseTurns(own ?? null) : (own ?? null);
  if (typeof limit !== "number") return false;
  return typeof ownLimit !== "number" || limit <= ownLimit;
}

const rank = (mode: Json | undefined): number => modes.findIndex((name) => name === mode);
