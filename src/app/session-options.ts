import { realpath } from "node:fs/promises";

import {
  type CallId,
  type Json,
  type JsonObject,
  type Limits,
  type Mode,
  PawlError,
  type ThinkingLevel,
} from "#core";
import type { AnyTool } from "#runtime";
import type { Words } from "#i18n";
import { closestName, findKey, problemWith, type Setting } from "./config/index.ts";

export interface SessionOptions {
  /** `provider/model`; default: as the settings say. */
  readonly model?: string;
  /** How hard the model thinks. Default: as the settings say, else as the model does by itself. */
  readonly thinking?: ThinkingLevel;
  /** Default: the folder of this process. */
  readonly cwd?: string;
  readonly permissions?: {
    readonly mode?: Exclude<Mode, "auto">;
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  /** What one prompt may use; turns are limited to 50 when nothing is said. */
  readonly limits?: Partial<Limits>;
  /** Further folders that may be written in. */
  readonly addDirs?: readonly string[];
  /** Steps in for the rest of a prompt when the model cannot be had. Default: none, or as the session had it. */
  readonly fallbackModel?: string;
  /** Address of the provider. */
  readonly baseUrl?: string;
  /** A session that goes on: its id, or a unique beginning of it. Default: a new one. */
  readonly resume?: string;
  /** In the place of the variables of this process: `PAWL_HOME`, keys, … */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Tools of your own (`defineTool` of `pawl/tools`), beside the built-in ones. A session that is resumed needs them
   * again.
   */
  readonly tools?: readonly AnyTool[];
  /** Answers questions that no rule answers. A throw is a no. Default: they are denied, and the model is told. */
  readonly onQuestion?: (question: Question) => Promise<Answer> | Answer;
}

export interface Question {
  readonly call: CallId;
  readonly tool: string;
  readonly input: JsonObject;
  /** Why it is asked. */
  readonly reason: string;
}

export interface Answer {
  readonly verdict: "allow" | "deny";
  /** Default `once`. */
  readonly scope?: "once" | "session";
  /** Told to the model. */
  readonly reason?: string;
}

type Named<T> = Readonly<Record<keyof T, true>>;

/** Programs in plain JavaScript misspell too, and a misspelt limit would silently be none. */
const optionNames: Named<Required<SessionOptions>> = {
  model: true,
  thinking: true,
  cwd: true,
  permissions: true,
  limits: true,
  addDirs: true,
  fallbackModel: true,
  baseUrl: true,
  resume: true,
  environment: true,
  tools: true,
  onQuestion: true,
};
const permissionNames: Named<NonNullable<SessionOptions["permissions"]>> = {
  mode: true,
  allow: true,
  ask: true,
  deny: true,
};
const limitNames: Named<NonNullable<SessionOptions["limits"]>> = {
  turns: true,
  costUsd: true,
  tokens: true,
  toolCalls: true,
  timeMs: true,
};

/** @throws PawlError `usage` for a name or value that cannot be used */
export function checkOptions(options: SessionOptions, words: Words): void {
  checkNames(options, { known: optionNames, group: "" }, words);
  checkNames(options.permissions ?? {}, { known: permissionNames, group: "permissions." }, words);
  checkNames(options.limits ?? {}, { known: limitNames, group: "limits." }, words);
  for (const { key, value } of settingsOf(options)) checkValue(key, value, words);
  for (const [index, tool] of (options.tools ?? []).entries()) {
    if (!isTool(tool)) throw new PawlError("usage", words.usage.noTool(`tools[${index}]`));
  }
}

/** What of the options counts as a setting. */
export function settingsOf(options: SessionOptions): readonly Setting[] {
  const { model, thinking, permissions, limits } = options;
  const timeMs = limits?.timeMs ?? null;
  const given = {
    model,
    thinking,
    "permissions.mode": permissions?.mode,
    "limits.turns": limits?.turns,
    "limits.costUsd": limits?.costUsd,
    "limits.tokens": limits?.tokens,
    "limits.toolCalls": limits?.toolCalls,
    "limits.minutes": timeMs === null ? null : timeMs / 60_000,
  };
  return Object.entries(given).flatMap(([key, value]): readonly Setting[] =>
    value === null || value === undefined
      ? []
      : [{ key, value, layer: "flag", where: "createSession" }],
  );
}

/** The real path of the folder. @throws PawlError `folder_missing` */
export async function folderOf(cwd: string, words: Words): Promise<string> {
  try {
    return await realpath(cwd);
  } catch (cause) {
    throw new PawlError("folder_missing", words.session.folderMissing(cwd), { cause });
  }
}

function checkNames(
  given: object,
  { known, group }: { readonly known: Readonly<Record<string, true>>; readonly group: string },
  words: Words,
): void {
  const wrong = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (wrong === undefined) return;
  const near = closestName(wrong, Object.keys(known));
  const shown = near === null ? null : `${group}${near}`;
  throw new PawlError("usage", words.config.unknownKey("createSession", `${group}${wrong}`, shown));
}

/** A reference of a model is judged where it is looked up. */
function checkValue(key: string, value: Json, words: Words): void {
  const found = findKey(key.split("."));
  if (found === null || found === "group" || found.kind === "model") return;
  const problem = problemWith(found.kind, value, words);
  if (problem === null) return;
  const name = key === "limits.minutes" ? "limits.timeMs" : key;
  const written = typeof value === "string" ? value : JSON.stringify(value);
  throw new PawlError("usage", words.usage.wrongValue(name, written, problem));
}

function isTool(tool: unknown): boolean {
  if (typeof tool !== "object" || tool === null) return false;
  const { name, inputSchema, run, need, parse } = { ...tool } as Readonly<Record<string, unknown>>;
  return (
    typeof name === "string" &&
    typeof inputSchema === "object" &&
    [run, need, parse].every((part) => typeof part === "function")
  );
}
