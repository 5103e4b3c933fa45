import { type Json, type Mode, thinkingLevels } from "#core";
import { languages, type Words } from "#i18n";
import { isJsonObject, readModels } from "./model-settings.ts";
import { parseAmount, parseCount, parseTurns } from "./limits.ts";

/** What a project may do with a key before its folder is trusted. */
type ProjectMay = "set" | "tighten" | "nothing";

export interface Key {
  /** Dotted; `*` stands for any one name. */
  readonly name: string;
  readonly kind: Kind;
  readonly project: ProjectMay;
}

export type Kind =
  | "model"
  | "mode"
  | "thinking"
  | "turns"
  | "count"
  | "amount"
  | "url"
  | "text"
  | "names"
  | "texts_by_name"
  | "models"
  | "lang"
  | "sandbox"
  /** Known to the contract, and not in this version. */
  | "later"
  /** Asks for a protection this version cannot give: refused instead of ignored. */
  | "later_protection";

/** Every key of `config.jsonc` (contract, section 4), in the order `pawl config` shows them. */
export const configKeys: readonly Key[] = [
  { name: "model", kind: "model", project: "set" },
  { name: "thinking", kind: "thinking", project: "set" },
  { name: "permissions.mode", kind: "mode", project: "tighten" },
  { name: "limits.turns", kind: "turns", project: "tighten" },
  { name: "limits.costUsd", kind: "amount", project: "tighten" },
  { name: "limits.dayCostUsd", kind: "later_protection", project: "nothing" },
  { name: "limits.tokens", kind: "count", project: "tighten" },
  { name: "limits.toolCalls", kind: "count", project: "tighten" },
  { name: "limits.minutes", kind: "amount", project: "tighten" },
  { name: "providers.*.baseUrl", kind: "url", project: "nothing" },
  { name: "providers.*.apiKeyEnv", kind: "text", project: "nothing" },
  { name: "providers.*.apiKeyCommand", kind: "text", project: "nothing" },
  { name: "providers.*.headers", kind: "texts_by_name", project: "nothing" },
  { name: "providers.*.models", kind: "models", project: "nothing" },
  { name: "shell.env", kind: "names", project: "nothing" },
  { name: "fetch.privateHosts", kind: "names", project: "nothing" },
  { name: "hooks", kind: "later", project: "nothing" },
  { name: "sandbox", kind: "sandbox", project: "nothing" },
  { name: "network", kind: "later_protection", project: "nothing" },
  { name: "lang", kind: "lang", project: "set" },
];

/** From the strictest to the freest. `auto` needs a sandbox, which this version does not have. */
export const modes: readonly Mode[] = ["read-only", "ask", "edit", "auto", "bypass"];

/** What a value should be, in words, when it is not that; null when it is right. */
export function problemWith(kind: Kind, value: Json, words: Words): string | null {
  const expected = words.config.expected;
  switch (kind) {
    case "model":
      return typeof value === "string" && /^[\w-]+\/./.test(value) ? null : expected.model;
    case "mode":
      if (value === "auto") return expected.notAuto;
      return modes.some((mode) => mode === value)
        ? null
        : expected.oneOf(modes.filter((mode) => mode !== "auto"));
    case "thinking":
      return thinkingLevels.some((level) => level === value)
        ? null
        : expected.oneOf(thinkingLevels);
    case "turns":
      return parseTurns(value) === null ? expected.turns : null;
    case "count":
      return typeof value === "number" && parseCount(value) !== null ? null : expected.count;
    case "amount":
      return typeof value === "number" && parseAmount(value) !== null ? null : expected.amount;
    case "url":
      return isHttpUrl(value) ? null : expected.url;
    case "text":
      return typeof value === "string" && value !== "" ? null : expected.text;
    case "names":
      return Array.isArray(value) && value.every((name) => typeof name === "string")
        ? null
        : expected.names;
    case "texts_by_name":
      return isTextsByName(value) ? null : expected.textsByName;
    case "models": {
      const read = readModels(value, words);
      return "problem" in read ? read.problem : null;
    }
    case "lang":
      return languages.some((lang) => lang === value) ? null : expected.oneOf(languages);
    case "sandbox":
      return value === "off" ? null : expected.sandbox;
    case "later_protection":
      return expected.laterProtection;
    case "later":
      return null;
    default:
      return kind satisfies never;
  }
}

export function isHttpUrl(value: Json): boolean {
  return (
    typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  );
}

function isTextsByName(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** The key a dotted path means; `group` when keys lie below it. */
export function findKey(path: readonly string[]): Key | "group" | null {
  for (const key of configKeys) {
    const parts = key.name.split(".");
    const fits = path.every((name, index) => parts[index] === name || parts[index] === "*");
    if (fits && parts.length === path.length) return key;
    if (fits && parts.length > path.length) return "group";
  }
  return null;
}
