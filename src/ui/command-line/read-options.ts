import type { Which } from "#app";
import {
  isHttpUrl,
  modes,
  parseAmount,
  parseCount,
  parseDuration,
  parseTurns,
  rulesFromFlags,
  type Setting,
} from "#app/config";
import { type Json, PawlError, thinkingLevels } from "#core";
import { languages, parseLanguage, type Words } from "#i18n";
import type { Options } from "./invocation.ts";

type Given = Readonly<Record<string, unknown>>;

/**
 * Checks what the options hold.
 * @throws PawlError `usage`, `not_in_this_version`
 */
export function readOptions(given: Given, words: Words): Options {
  const reading: Reading = { given, words };
  const loud = given["verbose"] === true ? "verbose" : "normal";
  return {
    print: given["print"] === true,
    outputFormat: choice(reading, "outputFormat", ["text", "json", "stream-json"]) ?? "text",
    inputFormat: choice(reading, "inputFormat", ["text", "stream-json"]) ?? "text",
    includeSignals: given["includeSignals"] === true,
    jsonSchema: text(given, "jsonSchema"),
    which: readWhich(reading),
    baseUrl: checked(reading, "baseUrl", { read: urlIn, expected: words.config.expected.url }),
    fallback: text(given, "fallbackModel"),
    settings: readSettings(reading),
    rules: (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      rulesFromFlags(texts(given, verdict), verdict, { words, ownTools: [] }),
    ),
    sandboxOff: readSandbox(reading),
    addDirs: texts(given, "addDir"),
    onAsk: choice(reading, "onAsk", ["deny", "pause"]),
    cwd: text(given, "cwd"),
    worktree: given["worktree"] === true ? "" : text(given, "worktree"),
    configFile: text(given, "config"),
    projectConfig: given["projectConfig"] === false ? "ignore" : "read",
    language: checked(reading, "lang", {
      read: parseLanguage,
      expected: words.config.expected.oneOf(languages),
    }),
    loudness: given["quiet"] === true ? "quiet" : loud,
    color: given["color"] !== false,
  };
}

interface Reading {
  readonly given: Given;
  readonly words: Words;
}

function text(given: Given, key: string): string | null {
  const value = given[key];
  return typeof value === "string" ? value : null;
}

function texts(given: Given, key: string): readonly string[] {
  const value = given[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** `maxTurns` → `--max-turns`. */
const flagOf = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The value of an option as `read` gives it back; null when the option is not there. */
function checked<T>(
  { given, words }: Reading,
  key: string,
  how: { read(value: string): T | null; readonly expected: string },
): T | null {
  const value = text(given, key);
  if (value === null) return null;
  const result = how.read(value);
  if (result !== null) return result;
  throw new PawlError("usage", words.usage.wrongValue(flagOf(key), value, how.expected));
}

const choice = <const T extends string>(
  reading: Reading,
  key: string,
  allowed: readonly T[],
): T | null =>
  checked(reading, key, {
    read: (value) => allowed.find((one) => one === value) ?? null,
    expected: reading.words.config.expected.oneOf(allowed),
  });

const urlIn = (value: string): string | null => (isHttpUrl(value) ? value : null);

function readWhich(reading: Reading): Which {
  const { given, words } = reading;
  const resume = given["resume"];
  const fork = text(given, "fork");
  const chosen = [given["continue"] === true, resume !== undefined, fork !== null];
  if (chosen.filter(Boolean).length > 1) throw new PawlError("usage", words.usage.oneSession);
  if (given["continue"] === true) return { at: "latest" };
  if (resume !== undefined) {
    return { at: "resume", id: typeof resume === "string" ? resume : null };
  }
  if (fork === null) return { at: "new" };
  const [, id, seq] = /^([\w-]+)(?:@(\d+))?$/.exec(fork) ?? [];
  if (id === undefined) {
    throw new PawlError("usage", words.usage.wrongValue("--fork", fork, "ID[@SEQ]"));
  }
  return { at: "fork", id, seq: seq === undefined ? null : Number(seq) };
}

/** `auto` needs a sandbox to hold what it allows. */
function readSettings(reading: Reading): readonly Setting[] {
  const { expected } = reading.words.config;
  const mode = choice(reading, "permissionMode", modes);
  if (mode === "auto") throw new PawlError("not_in_this_version", reading.words.usage.autoMode);
  const minutes = checked(reading, "maxTime", { read: parseDuration, expected: expected.duration });
  const model = text(reading.given, "model");
  const lang = text(reading.given, "lang");
  const settings: readonly (readonly [key: string, flag: string, value: Json])[] = [
    ["model", "--model", model],
    ["thinking", "--thinking", choice(reading, "thinking", thinkingLevels)],
    ["permissions.mode", "--permission-mode", mode],
    ["limits.turns", "--max-turns", count(reading, "maxTurns", parseTurns)],
    ["limits.costUsd", "--max-cost", count(reading, "maxCost", parseAmount)],
    ["limits.tokens", "--max-tokens", count(reading, "maxTokens", parseCount)],
    ["limits.toolCalls", "--max-tool-calls", count(reading, "maxToolCalls", parseCount)],
    ["limits.minutes", "--max-time", minutes === null ? null : minutes / 60_000],
    ["lang", "--lang", lang],
  ];
  return settings
    .filter(([, , value]) => value !== null)
    .map(([key, where, value]) => ({ key, value, layer: "flag", where }));
}

function count<T extends Json>(
  reading: Reading,
  key: "maxTurns" | "maxCost" | "maxTokens" | "maxToolCalls",
  read: (value: string) => T | null,
): T | null {
  const { expected } = reading.words.config;
  const what = {
    maxTurns: expected.turns,
    maxCost: expected.amount,
    maxTokens: expected.count,
    maxToolCalls: expected.count,
  };
  return checked(reading, key, { read, expected: what[key] });
}

/** Only `off` is possible without a sandbox; a wall that is not there is never promised. */
function readSandbox(reading: Reading): boolean {
  const wish = choice(reading, "sandbox", ["off", "read-only", "workspace"]);
  if (wish === null || wish === "off") return wish === "off";
  throw new PawlError("not_in_this_version", reading.words.usage.sandboxLater(wish));
}
