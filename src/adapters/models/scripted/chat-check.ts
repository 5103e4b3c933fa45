import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import { chatMessageProblems } from "./chat-message-check.ts";
import { isWellFormed } from "./well-formed-check.ts";

/**
 * What the Chat Completions API would refuse about a request body (source: "Create chat completion", OpenAI API
 * reference), in the words of its own 400 answers where they are known; empty for a good one. Stricter than the API
 * where compatible servers are: sides alternate, ids are unique, a user begins and speaks last, nothing is empty.
 */
export function chatRequestProblems(body: unknown): readonly string[] {
  if (!isJsonObject(body)) return ["We could not parse the JSON body of your request."];
  const unknown = Object.keys(body).filter((key) => !knownFields.has(key));
  return [
    ...(isWellFormed(body) ? [] : ["We could not parse the JSON body: a surrogate stands alone."]),
    ...unknown.map((key) => `Unrecognized request argument supplied: ${key}`),
    ...fieldProblems(body),
    ...limitProblems(body),
    ...toolProblems(body),
    ...chatMessageProblems(body["messages"]),
  ];
}

const knownFields: ReadonlySet<string> = new Set([
  // Of compatible servers, for how hard to think.
  "chat_template_kwargs",
  "enable_thinking",
  "reasoning",
  "thinking",
  "thinking_budget",
  // Of the API itself.
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "messages",
  "metadata",
  "modalities",
  "model",
  "n",
  "parallel_tool_calls",
  "prediction",
  "presence_penalty",
  "prompt_cache_key",
  "reasoning_effort",
  "response_format",
  "safety_identifier",
  "seed",
  "service_tier",
  "stop",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "user",
  "verbosity",
]);

function fieldProblems(body: JsonObject): readonly string[] {
  const problems: string[] = [];
  if ((stringOf(body["model"]) ?? "") === "") problems.push("you must provide a model parameter");
  if (body["stream"] !== true) problems.push("stream: this server only streams; set it to true");
  const options = body["stream_options"];
  if (options !== undefined && typeof objectOf(options)?.["include_usage"] !== "boolean") {
    problems.push("Invalid type for 'stream_options.include_usage': expected a boolean");
  }
  return problems;
}

function limitProblems(body: JsonObject): readonly string[] {
  const limits = ["max_tokens", "max_completion_tokens"].filter((key) => body[key] !== undefined);
  const problems = limits
    .filter((key) => !Number.isInteger(body[key]) || Number(body[key]) < 1)
    .map((key) => `Invalid '${key}': integer below minimum value. Expected a value >= 1`);
  return limits.length === 2
    ? [
        ...problems,
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      ]
    : problems;
}

function toolProblems(body: JsonObject): readonly string[] {
  const { tools } = body;
  if (tools === undefined) {
    return ["tool_choice", "parallel_tool_calls"]
      .filter((key) => body[key] !== undefined)
      .map(
        (key) => `Invalid value for '${key}': '${key}' is only allowed when 'tools' are specified.`,
      );
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return ["Invalid 'tools': empty array. Expected an array with minimum length 1"];
  }
  if (tools.length > 128) return ["Invalid 'tools': array too long. Expected at most 128 items"];
  const names = tools.map((tool: Json) =>
    stringOf(objectOf(objectOf(tool)?.["function"])?.["name"]),
  );
  return [
    ...tools.flatMap((tool: Json, index) => toolProblem(objectOf(tool), `tools[${index}]`)),
    ...(new Set(names).size < names.length ? ["tools: names of functions must be unique"] : []),
    ...choiceProblems(body["tool_choice"], names),
    ...(["boolean", "undefined"].includes(typeof body["parallel_tool_calls"])
      ? []
      : ["Invalid type for 'parallel_tool_calls': expected a boolean"]),
  ];
}

function toolProblem(tool: JsonObject | null, at: string): readonly string[] {
  const made = objectOf(tool?.["function"]);
  if (tool?.["type"] !== "function" || made === null) return [`Invalid value for '${at}.type'`];
  const problems: string[] = [];
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(stringOf(made["name"]) ?? "")) {
    problems.push(
      `Invalid '${at}.function.name': string does not match pattern '^[a-zA-Z0-9_-]+$' or is longer than 64`,
    );
  }
  if (!["string", "undefined"].includes(typeof made["description"])) {
    problems.push(`Invalid type for '${at}.function.description': expected a string`);
  }
  if (objectOf(made["parameters"])?.["type"] !== "object") {
    problems.push(
      `Invalid schema for function: schema must be a JSON Schema of 'type: "object"' (${at})`,
    );
  }
  return problems;
}

function choiceProblems(
  choice: Json | undefined,
  names: readonly (string | null)[],
): readonly string[] {
  if (choice === undefined || choice === "none" || choice === "auto" || choice === "required") {
    return [];
  }
  const name = stringOf(objectOf(objectOf(choice)?.["function"])?.["name"]);
  return name !== null && names.includes(name) ? [] : ["Invalid value for 'tool_choice'"];
}
