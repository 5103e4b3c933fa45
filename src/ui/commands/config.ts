import type { Setting } from "#app/config";
import type { Json } from "#core";
import { writtenRule } from "#core";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { neutralise, neutraliseLine } from "../terminal/neutralise.ts";

/** `pawl config`: what is set, and where. Values that may hold secrets are not shown. */
export async function config({ invocation, terminal, settings }: Start): Promise<number> {
  const rules = settings.rules.map((rule) => ({
    verdict: rule.verdict,
    rule: writtenRule(rule),
    source: rule.source,
  }));
  const values = settings.sources.map((setting) => ({
    key: setting.key,
    value: shown(setting),
    layer: setting.layer,
    where: setting.where,
  }));
  if (invocation.commandOptions.has("json")) {
    const { folder } = settings.home;
    await terminal.out.write(jsonLine({ home: folder, settings: values, rules }));
    return exitCodes.completed;
  }
  const { words } = terminal;
  const lines = [
    `${words.configCommand.home}: ${settings.home.folder}`,
    ...values.map(
      ({ key, value, layer, where }) =>
        `${key} = ${neutraliseLine(JSON.stringify(value))}  (${words.configCommand.layers[layer]}${where === "" ? "" : ` ${where}`})`,
    ),
    ...rules.map(({ verdict, rule, source }) => `${verdict} ${neutraliseLine(rule)}  (${source})`),
  ];
  await terminal.out.write(`${neutralise(lines.join("\n"))}\n`);
  for (const notice of settings.notices) terminal.warn(`! ${notice}`);
  return exitCodes.completed;
}

function shown({ key, value }: Setting): Json {
  if (key.endsWith(".headers") && typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, "…"]));
  }
  if (key.endsWith(".apiKeyCommand")) return "…";
  return typeof value === "string" ? value.replace(/\/\/[^/@]*@/, "//…@") : value;
}
