import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import { messageProblems } from "./message-check.ts";
import { isWellFormed } from "./well-formed-check.ts";

/**
 * What the Messages API would refuse about a request body, in the words of its own 400 answers where they are known;
 * empty for a good one. Stricter than the API in one point: user messages must alternate with replies, as ours do.
 */
export function requestProblems(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return ["The request body is not valid JSON."];
  const problems = [
    ...(isWellFormed(body)
      ? []
      : ["The request body is not valid JSON: no low surrogate in string"]),
    ...fieldProblems(body),
    ...systemProblems(body["system"]),
    ...toolProblems(body),
    ...thinkingProblems(body),
    ...outputProblems(objectOf(body["output_config"]) ?? {}),
    ...messageProblems(body["messages"], { hasTools: body["tools"] !== undefined }),
  ];
  const marks = countMarks(body);
  return marks <= 4
    ? problems
    : [...problems, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`];
}

function fieldProblems(body: JsonObject): readonly string[] {
  const problems: string[] = [];
  const unknown = Object.keys(body).find((key) => !knownFields.has(key));
  if (unknown !== undefined) problems.push(`${unknown}: Extra inputs are not permitted`);
  if ((stringOf(body["model"]) ?? "") === "") {
    problems.push("model: String should have at least 1 character");
  }
  const max = body["max_tokens"];
  if (!Number.isInteger(max) || Number(max) < 1) {
    problems.push("max_tokens: Input should be greater than or equal to 1");
  }
  if (body["stream"] !== true) problems.push("stream: this server only streams; set it to true");
  return problems;
}

const knownFields: ReadonlySet<string> = new Set([
  "model",
  "system",
  "tools",
  "tool_choice",
  "messages",
  "max_tokens",
  "metadata",
  "output_config",
  "stop_sequences",
  "stream",
  "temperature",
  "thinking",
  "top_k",
  "top_p",
]);

function systemProblems(system: Json | undefined): readonly string[] {
  if (system === undefined || typeof system === "string") return [];
  if (!Array.isArray(system)) return ["system: Input should be a valid list"];
  return system.flatMap((block: Json, index) => {
    const text = stringOf(objectOf(block)?.["text"]);
    return text === null || text.trim() === ""
      ? [`system.${index}: text content blocks must contain non-whitespace text`]
      : [];
  });
}

function toolProblems(body: JsonObject): readonly string[] {
  const tools = body["tools"];
  const choice = objectOf(body["tool_choice"]);
  if (tools === undefined) {
    return choice === null ? [] : ["tool_choice may only be specified while providing tools"];
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return ["tools: List should have at least 1 item"];
  }
  const problems: string[] = [];
  if (choice !== null && !/^(auto|any|tool|none)$/.test(stringOf(choice["type"]) ?? "")) {
    problems.push("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'");
  }
  const names = new Set<string>();
  tools.forEach((tool: Json, index) => {
    const name = stringOf(objectOf(tool)?.["name"]) ?? "";
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      problems.push(
        `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
      );
    }
    if (names.has(name)) problems.push("tools: Tool names must be unique.");
    names.add(name);
    if (objectOf(objectOf(tool)?.["input_schema"])?.["type"] !== "object") {
      problems.push(`tools.${index}.custom.input_schema.type: Field required`);
    }
  });
  return problems;
}

function thinkingProblems(body: JsonObject): readonly string[] {
  const thinking = objectOf(body["thinking"]);
  if (thinking?.["type"] !== "enabled") return [];
  const budget = Number(thinking["budget_tokens"]);
  if (!(budget >= 1024)) {
    return ["thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"];
  }
  return budget < Number(body["max_tokens"])
    ? []
    : ["`max_tokens` must be greater than `thinking.budget_tokens`."];
}

function outputProblems({ effort, format, ...more }: JsonObject): readonly string[] {
  const efforts: readonly (Json | undefined)[] = [
    undefined,
    "low",
    "medium",
    "high",
    "xhigh",
    "max",
  ];
  const unknown = Object.keys(more).map(
    (key) => `output_config.${key}: Extra inputs are not permitted`,
  );
  const isFormat = format === undefined || objectOf(format)?.["type"] === "json_schema";
  return [
    ...unknown,
    ...(efforts.includes(effort)
      ? []
      : ["output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"]),
    ...(isFormat ? [] : ["output_config.format.type: Input should be 'json_schema'"]),
  ];
}

function countMarks(body: JsonObject): number {
  const messages = listOf(body["messages"]).flatMap((message) =>
    listOf(objectOf(message)?.["content"]),
  );
  return [...listOf(body["system"]), ...listOf(body["tools"]), ...messages].filter(
    (block) => objectOf(block)?.["cache_control"] !== undefined,
  ).length;
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
