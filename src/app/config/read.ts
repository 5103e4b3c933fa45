import { providers } from "#adapters/models";
import type { Json } from "#core";
import type { Words } from "#i18n";
import { closestName } from "./closest-name.ts";
import { invalidAt, type Located, readJsonc } from "./jsonc.ts";
import { configKeys, findKey, type Key, problemWith } from "./keys.ts";

const providerNames: readonly string[] = [...providers.map(({ provider }) => provider), "scripted"];

/** Where a setting comes from, strongest first. */
export type Layer = "flag" | "environment" | "project" | "user" | "default";

export interface Setting {
  /** Concrete dotted key: `providers.anthropic.baseUrl`. */
  readonly key: string;
  readonly value: Json;
  readonly layer: Layer;
  /** The flag, the variable, or `file:line`. */
  readonly where: string;
}

export interface Gathered {
  readonly settings: readonly Setting[];
  /** Sentences for the user about what was ignored. */
  readonly notices: readonly string[];
}

/**
 * The settings of one `config.jsonc`; none when the file is missing.
 * @throws PawlError `config_invalid`
 */
export async function readConfig(
  file: string,
  layer: "project" | "user",
  words: Words,
): Promise<Gathered | null> {
  const root = await readJsonc(file, words);
  if (!root) return null;
  const settings: Setting[] = [];
  const notices: string[] = [];
  const visit = (path: readonly string[], located: Located): void => {
    const name = path.join(".");
    const { place, value } = located;
    const where = `${place.file}:${place.line}`;
    const key = findKey(path);
    if (key === null) {
      notices.push(words.config.unknownKey(where, name, nearestKey(path)));
    } else if (key === "group") {
      if (!located.members)
        throw invalidAt(place, words.config.wrong(name, words.config.expected.object));
      const [group, provider] = path;
      if (group === "providers" && provider !== undefined && !providerNames.includes(provider)) {
        const near = closestName(provider, providerNames);
        const meant = near === null ? null : `${group}.${near}`;
        notices.push(words.config.unknownKey(where, name, meant));
        return;
      }
      for (const [member, inner] of located.members) visit([...path, member], inner);
    } else if (key.kind === "later") {
      notices.push(words.config.laterKey(where, name));
    } else if (layer === "project" && key.project === "nothing") {
      notices.push(words.config.untrustedKey(where, name));
    } else if (isUsable(key, { name, located, words, notices })) {
      settings.push({ key: name, value, layer, where });
    }
  };
  for (const [member, inner] of root.members ?? []) {
    if (member !== "$schema") visit([member], inner);
  }
  return { settings, notices };
}

interface Found {
  readonly name: string;
  readonly located: Located;
  readonly words: Words;
  readonly notices: string[];
}

function isUsable(key: Key, { name, located, words, notices }: Found): boolean {
  const expected = problemWith(key.kind, located.value, words);
  if (expected === null) return true;
  // A run without a turn limit must never come of a typing error (requirement R32); the other limits have
  // no default to fall back on, so they are errors.
  if (key.kind !== "turns") throw invalidAt(located.place, words.config.wrong(name, expected));
  const { file, line } = located.place;
  notices.push(words.config.turnsInvalid(`${file}:${line}`, expected));
  return false;
}

/** The known key a wrong one was probably meant to be; null when none is near. */
function nearestKey(path: readonly string[]): string | null {
  const written = path.join(".");
  const keys = configKeys.map(({ name }) =>
    name.split(".").map((part, index) => (part === "*" ? (path[index] ?? part) : part)),
  );
  // Groups (`permissions`) are misspelt too.
  const groups = keys.map((parts) => parts.slice(0, path.length).join("."));
  const names = [...keys.map((parts) => parts.join(".")), ...groups];
  // A key given without its group (`turns`) is as near as a misspelt one.
  const byLastPart = names.find((name) => name.split(".").at(-1) === path.at(-1));
  return byLastPart ?? closestName(written, names);
}
