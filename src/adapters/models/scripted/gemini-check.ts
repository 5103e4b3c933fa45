import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import { contentProblems, functionName } from "./gemini-content-check.ts";
import { schemaProblems } from "./gemini-schema-check.ts";
import { unknownNames } from "./unknown-names.ts";
import { isWellFormed } from "./well-formed-check.ts";

/**
 * What the Gemini API would refuse about a request body (source: API reference, 2026-11, and the words of its 400
 * answers where they are known); empty for a good one. Stricter than the API in one point: user and model take turns.
 * @param options.model `gemini-x`: from 3 on, calls in the history must bear signatures
 */
export function geminiRequestProblems(
  body: unknown,
  options: { readonly model?: string } = {},
): readonly string[] {
  if (!isJsonObject(body)) return ["Invalid JSON payload received."];
  return [
    ...(isWellFormed(body) ? [] : ["Invalid JSON payload received. Surrogate."]),
    ...unknownNames(body, fields),
    ...systemProblems(body["systemInstruction"]),
    ...toolProblems(body),
    ...configProblems(body["generationConfig"]),
    ...contentProblems(body["contents"], /^gemini-[3-9]/.test(options.model ?? "")),
  ];
}

const fields = [
  "systemInstruction",
  "tools",
  "toolConfig",
  "contents",
  "generationConfig",
  "safetySettings",
  "cachedContent",
];

function systemProblems(system: Json | undefined): readonly string[] {
  if (system === undefined) return [];
  const parts = objectOf(system)?.["parts"];
  const isSaid =
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every((part: Json) => (stringOf(objectOf(part)?.["text"]) ?? "").trim() !== "");
  return isSaid ? [] : ["systemInstruction.parts: must not be empty"];
}

function toolProblems(body: JsonObject): readonly string[] {
  const { tools, toolConfig } = body;
  const mode = objectOf(objectOf(toolConfig)?.["functionCallingConfig"])?.["mode"];
  if (toolConfig !== undefined && !/^(AUTO|ANY|NONE|VALIDATED)$/.test(stringOf(mode) ?? "")) {
    return [`Invalid value at 'tool_config.function_calling_config.mode': "${stringOf(mode)}"`];
  }
  if (tools === undefined) {
    return toolConfig === undefined
      ? []
      : ["Function calling config is set without function_declarations."];
  }
  const declared = Array.isArray(tools) ? objectOf(tools[0])?.["functionDeclarations"] : undefined;
  if (!Array.isArray(declared) || declared.length === 0) {
    return ["tools[0].function_declarations: must not be empty"];
  }
  const names = declared.map((one: Json) => stringOf(objectOf(one)?.["name"]) ?? "");
  return [
    ...declared.flatMap((one: Json, index) => declarationProblems(objectOf(one) ?? {}, index)),
    ...(new Set(names).size < names.length ? ["Duplicate function declaration found."] : []),
  ];
}

function declarationProblems(declaration: JsonObject, index: number): readonly string[] {
  const at = `tools[0].function_declarations[${index}]`;
  const { name, parameters } = declaration;
  const properties = objectOf(objectOf(parameters)?.["properties"]) ?? {};
  return [
    ...unknownNames(declaration, ["name", "description", "parameters"]),
    ...(functionName.test(stringOf(name) ?? "")
      ? []
      : [`${at}.name: Invalid function name. Must start with a letter or an underscore.`]),
    ...(parameters === undefined ? [] : schemaProblems(parameters, `${at}.parameters`)),
    ...(parameters !== undefined && Object.keys(properties).length === 0
      ? [`${at}.parameters.properties: should be non-empty for OBJECT type`]
      : []),
  ];
}

function configProblems(config: Json | undefined): readonly string[] {
  const own = objectOf(config) ?? {};
  const max = own["maxOutputTokens"];
  const thinking = objectOf(own["thinkingConfig"]) ?? {};
  return [
    ...unknownNames(own, [
      "maxOutputTokens",
      "temperature",
      "topP",
      "stopSequences",
      "thinkingConfig",
      "responseMimeType",
      "responseJsonSchema",
    ]),
    ...unknownNames(thinking, ["includeThoughts", "thinkingBudget", "thinkingLevel"]),
    ...(thinking["thinkingBudget"] !== undefined && thinking["thinkingLevel"] !== undefined
      ? ["You can only set only one of thinking budget and thinking level."]
      : []),
    ...(thinking["thinkingBudget"] === 0 && thinking["includeThoughts"] === true
      ? ["thinking_config.include_thoughts is only enabled when thinking is enabled."]
      : []),
    ...(max === undefined || (Number.isInteger(max) && Number(max) >= 1)
      ? []
      : ["generation_config.max_output_tokens: must be positive"]),
  ];
}
