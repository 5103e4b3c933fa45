import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import {
  type Json,
  type Limits,
  type Mode,
  PawlError,
  type Rule,
  type ThinkingLevel,
  thinkingLevels,
} from "#core";
import { type Language, languages, type Words } from "#i18n";
import { type Environment, type Home, homeOf } from "../home.ts";
import { isHttpUrl, modes } from "./keys.ts";
import { limitsFrom, parseAmount, parseCount, parseTurns } from "./limits.ts";
import { mergeSettings } from "./merge.ts";
import { type ModelSettings, readModels } from "./model-settings.ts";
import { ollamaBaseUrl } from "./ollama-host.ts";
import { readPolicy } from "./policy.ts";
import { type Gathered, readConfig, type Setting } from "./read.ts";

export interface ProviderSettings {
  readonly baseUrl: string | null;
  /** Name of the variable that holds the key. */
  readonly apiKeyEnv: string | null;
  /** Shell command that prints the key. */
  readonly apiKeyCommand: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What the user knows better than the table, by name of the model. */
  readonly models: Readonly<Record<string, ModelSettings>>;
}

export interface Settings {
  readonly home: Home;
  readonly environment: Environment;
  readonly words: Words;
  /** How hard the model is to think; null = not set anywhere. */
  readonly thinking: ThinkingLevel | null;
  /** Strong enough to change a session that goes on. */
  readonly thinkingIsChosen: boolean;
  /** null = not set anywhere. */
  readonly model: string | null;
  /** Strong enough to change the model of a session that goes on. */
  readonly modelIsChosen: boolean;
  /** null = not set anywhere. */
  readonly mode: Mode | null;
  readonly limits: Limits;
  /** Some limit is set somewhere. */
  readonly limitsAreSet: boolean;
  readonly rules: readonly Rule[];
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Variables that commands may see although their names look like secrets. */
  readonly shellEnv: readonly string[];
  /** Hosts that `fetch` may reach on this machine and its network. */
  readonly privateHosts: readonly string[];
  readonly language: Language | null;
  /** The winner of each key. */
  readonly sources: readonly Setting[];
  readonly notices: readonly string[];
}

export interface SettingsRequest {
  readonly environment: Environment;
  /** Real path. */
  readonly cwd: string;
  readonly words: Words;
  /** Layer `flag`. */
  readonly flags?: readonly Setting[];
  /** Rules given as flags. */
  readonly rules?: readonly Rule[];
  /** Instead of `config.jsonc` in `PAWL_HOME`. */
  readonly configFile?: string | undefined;
  readonly projectConfig?: "read" | "ignore";
}

/**
 * Everything that is set: flags, environment, project, user, defaults (contract, section 4).
 * @throws PawlError `config_invalid`, `usage`, `limits_missing`
 */
export async function loadSettings(request: SettingsRequest): Promise<Settings> {
  const { environment, words } = request;
  const home = homeOf(environment);
  const project =
    request.projectConfig === "ignore" ? null : await projectFolder(request.cwd, home);
  const [userConfig, projectConfig, userRules, projectRules] = await Promise.all([
    readUserConfig(request, home),
    project ? readConfig(join(project, "config.jsonc"), "project", words) : null,
    readPolicy(home.policy, "user", words),
    project ? readPolicy(join(project, "policy.jsonc"), "project", words) : null,
  ]);
  const merged = mergeSettings(
    [
      ...(request.flags ?? []),
      ...fromEnvironment(environment, words),
      ...(projectConfig?.settings ?? []),
      ...(userConfig?.settings ?? []),
      ...defaults,
    ],
    words,
  );
  const gathered = [userConfig, projectConfig, userRules, projectRules, merged];
  return {
    ...typed(merged.settings, words),
    home,
    environment,
    words,
    rules: [...(request.rules ?? []), ...(projectRules?.rules ?? []), ...userRules.rules],
    sources: merged.settings,
    notices: gathered.flatMap((one) => one?.notices ?? []),
  };
}

const defaults: readonly Setting[] = [
  { key: "permissions.mode", value: "ask", layer: "default", where: "" },
  { key: "limits.turns", value: 50, layer: "default", where: "" },
];

async function readUserConfig(request: SettingsRequest, home: Home): Promise<Gathered | null> {
  const named = request.configFile;
  const file = named === undefined ? home.config : resolve(request.cwd, named);
  const config = await readConfig(file, "user", request.words);
  if (config || named === undefined) return config;
  throw new PawlError("config_invalid", request.words.config.noSuchFile(file));
}

/** The nearest `.pawl` folder from `cwd` up to the repository root; never the user's own home folder. */
async function projectFolder(cwd: string, home: Home): Promise<string | null> {
  const own = await realpath(home.folder).catch(() => home.folder);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const candidate = await realpath(join(folder, ".pawl")).catch(() => null);
    if (candidate !== null && candidate !== own) return join(folder, ".pawl");
    const isRoot = (await realpath(join(folder, ".git")).catch(() => null)) !== null;
    if (isRoot || dirname(folder) === folder) return null;
  }
}

const baseUrlVariables: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: "anthropic",
  OPENAI_BASE_URL: "openai",
  GEMINI_BASE_URL: "gemini",
};

function fromEnvironment(environment: Environment, words: Words): readonly Setting[] {
  const set = (key: string, name: string): readonly Setting[] => {
    const value = environment[name];
    return value ? [{ key, value, layer: "environment", where: name }] : [];
  };
  const urls = Object.entries(baseUrlVariables).flatMap(([variable, provider]) =>
    set(`providers.${provider}.baseUrl`, variable),
  );
  const wrong = urls.find((setting) => !isHttpUrl(setting.value));
  if (wrong) {
    throw new PawlError("usage", words.config.wrong(wrong.where, words.config.expected.url));
  }
  return [
    ...set("model", "PAWL_MODEL"),
    ...set("lang", "PAWL_LANG"),
    ...urls,
    ...ollamaHost(environment),
  ];
}

/** Not our variable: one that cannot be read is no error of this program. */
function ollamaHost(environment: Environment): readonly Setting[] {
  const value = ollamaBaseUrl(environment["OLLAMA_HOST"] ?? "");
  const where = "OLLAMA_HOST";
  return value === null
    ? []
    : [{ key: "providers.ollama.baseUrl", value, layer: "environment", where }];
}

type Typed = Omit<Settings, "home" | "environment" | "words" | "rules" | "sources" | "notices">;

/** The values were checked where they were read; here they only get their types back. */
function typed(settings: readonly Setting[], words: Words): Typed {
  const get = (key: string): Setting | undefined => settings.find((one) => one.key === key);
  const value = (key: string): Json => get(key)?.value ?? null;
  const text = (key: string): string | null => {
    const found = value(key);
    return typeof found === "string" ? found : null;
  };
  const model = get("model");
  const thinking = get("thinking");
  const mode = get("permissions.mode");
  const minutes = parseAmount(value("limits.minutes"));
  const names = (key: string): readonly string[] => {
    const found = value(key);
    return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
  };
  return {
    model: text("model"),
    modelIsChosen: model?.layer === "flag" || model?.layer === "environment",
    thinking: thinkingLevels.find((level) => level === thinking?.value) ?? null,
    thinkingIsChosen: thinking?.layer === "flag",
    mode: mode?.layer === "default" ? null : (modes.find((one) => one === mode?.value) ?? null),
    limits: limitsFrom(
      {
        turns: parseTurns(value("limits.turns")),
        costUsd: parseAmount(value("limits.costUsd")),
        tokens: parseCount(value("limits.tokens")),
        toolCalls: parseCount(value("limits.toolCalls")),
        timeMs: minutes === null ? null : Math.round(minutes * 60_000),
      },
      words,
    ),
    limitsAreSet: settings.some((one) => one.key.startsWith("limits.") && one.layer !== "default"),
    providers: providersIn(settings, words),
    shellEnv: names("shell.env"),
    privateHosts: names("fetch.privateHosts"),
    language: languages.find((language) => language === value("lang")) ?? null,
  };
}

function providersIn(
  settings: readonly Setting[],
  words: Words,
): Readonly<Record<string, ProviderSettings>> {
  const providers = new Map<string, ProviderSettings>();
  for (const { key, value } of settings) {
    const [group, name, field] = key.split(".");
    if (group !== "providers" || !name || !field) continue;
    const old = providers.get(name) ?? {
      baseUrl: null,
      apiKeyEnv: null,
      apiKeyCommand: null,
      headers: {},
      models: {},
    };
    providers.set(name, { ...old, [field]: field === "models" ? modelsIn(value, words) : value });
  }
  return Object.fromEntries(providers);
}

function modelsIn(value: Json, words: Words): ProviderSettings["models"] {
  const read = readModels(value, words);
  return "models" in read ? read.models : {};
}
