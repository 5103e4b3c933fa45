import type { Json, JsonObject } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { unknownNames } from "./unknown-names.ts";

/** Source: `FunctionDeclaration.name`, API reference. */
export const functionName: RegExp = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

interface Content {
  readonly role: string;
  readonly parts: readonly JsonObject[];
  readonly at: string;
}

/** What the Gemini API would refuse about the conversation of a request. */
export function contentProblems(
  contents: Json | undefined,
  wantsSignatures: boolean,
): readonly string[] {
  if (!Array.isArray(contents) || contents.length === 0) {
    return ["contents: contents is not specified"];
  }
  const wire = contents.map((content: Json, index) => read(content, index));
  return [
    ...wire.flatMap((content, index) => roleProblems(content, wire[index - 1])),
    ...(wire.at(-1)?.role === "user"
      ? []
      : ["Please ensure that multiturn requests end with a user role."]),
    ...wire.flatMap(partsProblems),
    ...wire.flatMap((content, index) => pairProblems(content, wire[index + 1])),
    ...wire.flatMap((content, index) => responseProblems(content, wire[index - 1])),
    ...(wantsSignatures ? wire.flatMap(signatureProblems) : []),
  ];
}

function read(json: Json, index: number): Content {
  const content = objectOf(json) ?? {};
  const { parts } = content;
  return {
    role: stringOf(content["role"]) ?? "",
    parts: Array.isArray(parts) ? parts.map((part: Json) => objectOf(part) ?? {}) : [],
    at: `contents[${index}]`,
  };
}

function roleProblems({ role, at }: Content, before: Content | undefined): string[] {
  if (role !== "user" && role !== "model") return ["Please use a valid role: user, model."];
  if (before === undefined && role !== "user") {
    return [`${at}: Please ensure that multiturn requests start with a user role.`];
  }
  return role === before?.role
    ? [`${at}: Please ensure that multiturn requests alternate between user and model.`]
    : [];
}

function partsProblems({ role, parts, at }: Content): string[] {
  if (parts.length === 0) return [`${at}.parts: must not be empty`];
  return parts.flatMap((part, index) =>
    partProblems(part, { at: `${at}.parts[${index}]`, isModel: role === "model" }),
  );
}

const data = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

function partProblems(
  part: JsonObject,
  where: { readonly at: string; readonly isModel: boolean },
): string[] {
  const { at, isModel } = where;
  const kinds = data.filter((name) => part[name] !== undefined);
  const problems = [...unknownNames(part, [...data, "thought", "thoughtSignature"])];
  if (kinds.length !== 1) {
    problems.push(`${at}.data: required oneof field 'data' must have one initialized field`);
  }
  const signature = part["thoughtSignature"];
  if (signature !== undefined && !(isModel && /^[\w+/=-]+$/.test(stringOf(signature) ?? ""))) {
    problems.push(`${at}.thought_signature: Thought signature is not valid`);
  }
  const text = part["text"];
  if (text !== undefined && (stringOf(text) ?? "").trim() === "" && signature === undefined) {
    problems.push(`${at}.text: must not be empty`);
  }
  return [...problems, ...valueProblems(part, where)];
}

function valueProblems(
  part: JsonObject,
  { at, isModel }: { readonly at: string; readonly isModel: boolean },
): string[] {
  const { inlineData, functionCall, functionResponse } = part;
  if (inlineData !== undefined) {
    const { mimeType, data: bytes } = objectOf(inlineData) ?? {};
    const isImage = /^image\/(png|jpeg|webp|gif|heic|heif)$/.test(stringOf(mimeType) ?? "");
    return isImage && (stringOf(bytes) ?? "") !== "" ? [] : [`${at}.inline_data: not an image`];
  }
  if (functionCall !== undefined) {
    const isRight = isModel && isNamed(functionCall) && objectOf(functionCall)?.["args"] !== null;
    return isRight ? [] : [`${at}.function_call: not a call of the model`];
  }
  if (functionResponse !== undefined) {
    const response = objectOf(objectOf(functionResponse)?.["response"]);
    const isRight = !isModel && isNamed(functionResponse) && response !== null;
    return isRight ? [] : [`${at}.function_response: not a response of the user`];
  }
  return [];
}

const isNamed = (value: Json): boolean =>
  functionName.test(stringOf(objectOf(value)?.["name"]) ?? "");

/** A call or a response as the API matches them: by name, and by id where there is one. */
const namesOf = (content: Content | undefined, field: string): readonly string[] =>
  (content?.parts ?? []).flatMap((part) => {
    const value = objectOf(part[field]);
    return value === null ? [] : [`${stringOf(value["name"])} ${stringOf(value["id"])}`];
  });

function pairProblems(content: Content, next: Content | undefined): string[] {
  const calls = namesOf(content, "functionCall");
  if (calls.length === 0) return [];
  const answers = namesOf(next, "functionResponse");
  if (calls.length !== answers.length) {
    return [
      `${content.at}: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.`,
    ];
  }
  return calls.join("|") === answers.join("|")
    ? []
    : [`${content.at}: function responses stand in another order than their calls.`];
}

function responseProblems({ parts, at, role }: Content, before: Content | undefined): string[] {
  const isResponse = (part: JsonObject): boolean => part["functionResponse"] !== undefined;
  if (role !== "user" || !parts.some(isResponse)) return [];
  const firstOther = parts.findIndex((part) => !isResponse(part));
  const problems =
    firstOther >= 0 && firstOther < parts.findLastIndex(isResponse)
      ? [`${at}: function responses must come before any other part.`]
      : [];
  return namesOf(before, "functionCall").length > 0
    ? problems
    : [
        ...problems,
        `${at}: Please ensure that function response turn comes immediately after a function call turn.`,
      ];
}

function signatureProblems({ parts, at }: Content): string[] {
  const first = parts.find((part) => part["functionCall"] !== undefined);
  return first === undefined || first["thoughtSignature"] !== undefined
    ? []
    : [`${at}: Function call is missing a thought_signature in functionCall parts.`];
}
