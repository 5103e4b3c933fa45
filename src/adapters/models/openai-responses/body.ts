import type { JsonObject, ThinkingLevel } from "#core";
import type { ModelRequest } from "#runtime";
import { effortOf } from "../shared/effort.ts";
import type { Capabilities } from "../capabilities.ts";
import { keptConversations } from "../shared/kept-conversations.ts";
import { modelName, orderedTools, saidSections } from "../shared/outgoing.ts";
import { strictSchema } from "../shared/strict-schema.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import { conversation } from "./conversation.ts";

export interface BodyOptions {
  /** The request goes to the provider itself, which is stricter than servers that only speak its wire. */
  readonly isOwnHost: boolean;
  /** Whether the models can be held to a JSON Schema. */
  readonly answerSchema: Capabilities["answerSchema"];
  /** How the models are told how hard to think. */
  readonly thinking: Capabilities["thinking"];
}

/**
 * Builds request bodies. Keys stand in the order model, instructions, tools, input, rest: each request of a conversation
 * begins with the bytes of the one before (requirement R14).
 */
export function bodyBuilder({
  isOwnHost,
  answerSchema,
  thinking,
}: BodyOptions): (request: ModelRequest) => readonly Uint8Array[] {
  const follow = keptConversations((model) => conversation(model, isOwnHost ? ownIds : anyId));
  return (request) => {
    const talk = follow(request);
    const model = modelName(request.model);
    const head = [
      `"model":${JSON.stringify(model)}`,
      ...instructionsPart(request),
      ...toolsPart(request),
    ].join(",");
    const rest = {
      ...(request.tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
      max_output_tokens: Math.max(leastOutputTokens, Math.floor(request.maxOutputTokens)),
      ...thinkingPart(thinking, {
        model,
        level: request.thinking ?? null,
      }),
      ...formatPart(strictSchema(request, answerSchema)),
      store: false,
      stream: true,
    };
    return [
      Buffer.from(`{${head},"input":[`),
      talk.finished,
      Buffer.from(`${talk.tail()}],${JSON.stringify(rest).slice(1)}`),
    ];
  };
}

/** Source: the API's own error, "Invalid 'input[1].id': … Expected an ID that begins with 'fc'". */
const ownIds = /^(?:msg|rs|fc|ctc?|[a-z]{2,5})_[a-zA-Z0-9_-]{1,60}$/;
const anyId = /^[^]{1,256}$/;

/** Source: the API's own error, "Expected a value >= 16". */
const leastOutputTokens = 16;

/** Models without reasoning refuse to encrypt it. */
function thinkingPart(
  form: Capabilities["thinking"],
  { model, level }: { readonly model: string; readonly level: ThinkingLevel | null },
): JsonObject {
  if (form !== "reasoning_effort") return {};
  const include = ["reasoning.encrypted_content"];
  return level === null ? { include } : { reasoning: { effort: effortOf(model, level) }, include };
}

function formatPart(schema: JsonObject | null): JsonObject {
  if (schema === null) return {};
  return { text: { format: { type: "json_schema", name: "answer", schema, strict: true } } };
}

function instructionsPart({ system }: ModelRequest): readonly string[] {
  const text = saidSections(system)
    .map((section) => section.text)
    .join("\n\n");
  return text === "" ? [] : [`"instructions":${wellFormedJson(text)}`];
}

function toolsPart(request: ModelRequest): readonly string[] {
  const tools = orderedTools(request).map(({ name, description, inputSchema }): JsonObject => ({
    type: "function",
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));
  return tools.length === 0 ? [] : [`"tools":${wellFormedJson(tools)}`];
}

/** The body of one request as text, for tests and for looking at it; the client keeps a builder instead. */
export function openAiResponsesBody(request: ModelRequest): string {
  return Buffer.concat(
    bodyBuilder({ isOwnHost: true, answerSchema: "beside_tools", thinking: "reasoning_effort" })(
      request,
    ),
  ).toString("utf8");
}
