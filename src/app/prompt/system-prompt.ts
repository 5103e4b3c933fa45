import type { Json, JsonObject, Mode } from "#core";
import type { Section, ToolSpec } from "#runtime";
import type { Instructions } from "../context/instructions.ts";
import { text as identity } from "./identity.generated.ts";

export interface PromptParts {
  readonly tools: readonly ToolSpec[];
  readonly mode: Mode;
  readonly instructions: readonly Instructions[];
  /** Text of the volatile end: see `environmentText`. */
  readonly environment: string;
}

/**
 * The system prompt, generated from the registry and the session's settings (requirement R105). What may differ
 * from one start to the next stands last, so that provider caches hold the rest.
 */
export function systemPrompt(parts: PromptParts): readonly Section[] {
  const stable = (name: string, text: string): readonly Section[] =>
    text === "" ? [] : [{ name, text, stable: true }];
  return [
    ...stable("identity", identity),
    ...stable("tools", toolsText(parts.tools)),
    ...stable("mode", modeText[parts.mode]),
    ...stable("instructions", instructionsText(parts.instructions)),
    { name: "environment", text: parts.environment, stable: false },
  ];
}

function toolsText(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return "";
  const lines = tools.map(
    (tool) =>
      `- ${tool.name}(${parametersOf(tool.inputSchema)}): ${firstSentence(tool.description)}`,
  );
  return [
    "# Tools",
    "",
    "Call a tool with the tool-call mechanism of this interface: its name and its arguments, with exactly the parameters of its schema (`?` = optional). Each call gets one result, in your order; the full descriptions come with the schemas.",
    "",
    ...lines,
  ].join("\n");
}

/** `path, offset?, limit?` */
function parametersOf(schema: JsonObject): string {
  const properties = objectIn(schema["properties"]);
  const required = schema["required"];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return Object.keys(properties)
    .map((name) => (isRequired(name) ? name : `${name}?`))
    .join(", ");
}

function objectIn(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !isArray(value) ? value : {};
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

function firstSentence(description: string): string {
  const [line = ""] = description.trim().split("\n");
  return /^.*?[.。](?=\s|$)/.exec(line)?.[0] ?? line;
}

const modeText: Readonly<Record<Mode, string>> = {
  ask: "# Permission mode: ask\n\nReading inside the workspace is free. Every change and every command is put to the person first, unless a rule allows it.",
  "read-only":
    "# Permission mode: read-only\n\nYou may only read. Nothing can be changed and no command can be run. Find out what is needed and answer with the findings, or with a plan that names the files and the changes.",
  edit: "# Permission mode: edit\n\nReading and editing files inside the workspace is free. Commands are put to the person first, unless a rule allows them.",
  auto: "# Permission mode: auto\n\nWhat the sandbox contains is free; the rest is put to the person.",
  bypass:
    "# Permission mode: bypass\n\nNo questions are asked: what you call is run, unless a rule denies it. Be careful with what cannot be undone.",
};

function instructionsText(files: readonly Instructions[]): string {
  if (files.length === 0) return "";
  const parts = files.map(
    ({ path, text }) => `<instructions from="${path}">\n${text}\n</instructions>`,
  );
  return [
    "# Instructions",
    "",
    "Written by the people you work for; later ones win over earlier ones, and the person's messages over all.",
    "",
    ...parts,
  ].join("\n");
}
