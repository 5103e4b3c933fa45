import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import { inputProblems, toolName } from "./responses-input-check.ts";
import { isWellFormed } from "./well-formed-check.ts";

/**
 * What the Responses API would refuse about a request body (source: API reference, 2026-11, and the words of its 400
 * answers where they are known); empty for a good one. Stricter than the API where a server that only speaks its wire
 * may be: nothing is stored, so nothing is referred to; results stand in order right after their calls.
 */
export function responsesRequestProblems(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return ["We could not parse the JSON body of your request."];
  return [
    ...(isWellFormed(body) ? [] : ["We could not parse the JSON body of your request: surrogate."]),
    ...fieldProblems(body),
    ...toolProblems(body),
    ...inputProblems(body["input"]),
  ];
}

function fieldProblems(body: JsonObject): readonly string[] {
  const unknown = Object.keys(body).filter((key) => !knownFields.has(key));
  const problems = unknown.map((key) => `Unknown parameter: '${key}'.`);
  const instructions = body["instructions"];
  if ((stringOf(body["model"]) ?? "") === "") problems.push("Missing required parameter: 'model'.");
  if (instructions !== undefined && (stringOf(instructions) ?? "").trim() === "") {
    problems.push("Invalid type for 'instructions': expected a text.");
  }
  const max = body["max_output_tokens"];
  if (max !== undefined && !(Number.isInteger(max) && Number(max) >= 16)) {
    problems.push(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.",
    );
  }
  if (body["stream"] !== true) problems.push("This server only streams: set 'stream' to true.");
  if (body["store"] !== false) problems.push("Nothing is to be stored: set 'store' to false.");
  for (const value of listOf(body["include"])) {
    const name = stringOf(value) ?? "";
    if (!includable.has(name)) problems.push(`Invalid value: '${name}'.`);
  }
  return problems;
}

const knownFields: ReadonlySet<string> = new Set([
  "model",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "input",
  "include",
  "max_output_tokens",
  "metadata",
  "prompt_cache_key",
  "reasoning",
  "service_tier",
  "store",
  "stream",
  "temperature",
  "text",
  "top_p",
  "truncation",
]);

const includable: ReadonlySet<string> = new Set([
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
]);

function toolProblems(body: JsonObject): readonly string[] {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    return choice === undefined ? [] : ["Tool choice is only allowed when 'tools' are specified."];
  }
  if (!Array.isArray(tools) || tools.length === 0) return ["Invalid 'tools': empty array."];
  const names = tools.map((tool: Json) => stringOf(objectOf(tool)?.["name"]) ?? "");
  const problems = tools.flatMap((tool: Json, index) => oneToolProblems(tool, `tools[${index}]`));
  if (new Set(names).size < names.length) problems.push("Tool names must be unique.");
  if (choice !== undefined && !/^(auto|none|required)$/.test(stringOf(choice) ?? "")) {
    problems.push("Invalid value for 'tool_choice'.");
  }
  return problems;
}

function oneToolProblems(json: Json, at: string): readonly string[] {
  const tool = objectOf(json) ?? {};
  const problems: string[] = [];
  if (tool["type"] !== "function") problems.push(`Invalid value: '${at}.type'.`);
  if (!toolName.test(stringOf(tool["name"]) ?? "")) {
    problems.push(`Invalid '${at}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`);
  }
  const parameters = objectOf(tool["parameters"]);
  if (parameters?.["type"] !== "object") {
    problems.push(
      `Invalid schema for function: '${at}' must be a JSON Schema of 'type: "object"'.`,
    );
  }
  const choices = ["oneOf", "anyOf", "allOf", "enum", "not"];
  if (choices.some((key) => parameters?.[key] !== undefined)) {
    problems.push(`Invalid schema for function: '${at}' must not have 'oneOf' at the top level.`);
  }
  if (typeof tool["strict"] !== "boolean") {
    problems.push(`Missing required parameter: '${at}.strict'.`);
  }
  return problems;
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
