import type { JsonObject } from "#core";
import type { ModelRequest } from "#runtime";
import type { Capabilities } from "../capabilities.ts";
import { keptConversations } from "../shared/kept-conversations.ts";
import { orderedTools, saidSections } from "../shared/outgoing.ts";
import { strictSchema } from "../shared/strict-schema.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import { conversation } from "./conversation.ts";
import { parametersOf } from "./schema.ts";
import { thinkingConfig } from "./thinking.ts";

export interface BodyOptions {
  /** Whether the models can be held to a JSON Schema. */
  readonly answerSchema: Capabilities["answerSchema"];
  /** How the models are told how hard to think. */
  readonly thinking: Capabilities["thinking"];
}

/**
 * Builds request bodies. Keys stand in the order system, tools, contents, rest: each request of a conversation begins
 * with the bytes of the one before (requirement R14).
 */
export function bodyBuilder({
  answerSchema,
  thinking,
}: BodyOptions): (request: ModelRequest) => readonly Uint8Array[] {
  const follow = keptConversations(conversation);
  /** By schema: a session's tools are the same objects in each request. */
  const written = new WeakMap<JsonObject, JsonObject>();

  function parametersPart(schema: JsonObject): JsonObject {
    const known = written.get(schema);
    if (known !== undefined) return known;
    const parameters = parametersOf(schema);
    const part = parameters === null ? {} : { parameters };
    written.set(schema, part);
    return part;
  }

  return (request) => {
    const talk = follow(request);
    const head = [...systemPart(request), ...toolsPart(request, parametersPart)]
      .map((part) => `${part},`)
      .join("");
    const isWithoutCalls = request.tools.length > 0 && request.toolChoice === "none";
    const schema = strictSchema(request, answerSchema);
    const maxOutputTokens = Math.max(1, Math.floor(request.maxOutputTokens));
    const rest = {
      ...(isWithoutCalls ? { toolConfig: { functionCallingConfig: { mode: "NONE" } } } : {}),
      generationConfig: {
        maxOutputTokens,
        ...thinkingConfig(thinking, request.thinking ?? null, maxOutputTokens),
        ...(schema === null
          ? {}
          : { responseMimeType: "application/json", responseJsonSchema: schema }),
      },
    };
    return [
      Buffer.from(`{${head}"contents":[`),
      talk.finished,
      Buffer.from(`${talk.tail()}],${JSON.stringify(rest).slice(1)}`),
    ];
  };
}

function systemPart({ system }: ModelRequest): readonly string[] {
  const parts = saidSections(system).map(({ text }) => ({ text }));
  return parts.length === 0 ? [] : [`"systemInstruction":${wellFormedJson({ parts })}`];
}

function toolsPart(
  request: ModelRequest,
  parametersPart: (schema: JsonObject) => JsonObject,
): readonly string[] {
  const functionDeclarations = orderedTools(request).map(
    ({ name, description, inputSchema }): JsonObject => ({
      name,
      description,
      ...parametersPart(inputSchema),
    }),
  );
  if (functionDeclarations.length === 0) return [];
  return [`"tools":${wellFormedJson([{ functionDeclarations }])}`];
}

/** The body of one request as text, for tests and for looking at it; the client keeps a builder instead. */
export function geminiBody(request: ModelRequest): string {
  const build = bodyBuilder({ answerSchema: "beside_tools", thinking: "level" });
  return Buffer.concat(build(request)).toString("utf8");
}
