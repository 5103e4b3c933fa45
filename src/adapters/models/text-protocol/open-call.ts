import type { Json, JsonObject, WireCall } from "#core";
import type { ToolSpec } from "#runtime";
import { callArguments } from "../shared/call-arguments.ts";
import { objectOf, parseJson, stringOf } from "../shared/json-read.ts";
import { holdsParameterTag } from "./tags.ts";
import { isParameter, valueOf } from "./values.ts";

/** A call while its text comes. */
export interface OpenCall {
  readonly tool: string;
  /** Nothing of it has come yet. */
  isEmpty(): boolean;
  /** A parameter that is whole. `tag`: the name of the tag it stood in. */
  parameter(name: string, text: string, tag: string): void;
  /** Something that is wrong with it. The first counts. */
  fault(problem: string): void;
  /** Its text, for one whose arguments cannot be used. */
  keep(raw: string): void;
  whole(): WireCall;
  /** As far as it had come. */
  cut(): WireCall;
}

/** @param tools what the schemas of the values are */
export function openCall(tool: string, tools: readonly ToolSpec[]): OpenCall {
  const schema = tools.find(({ name }) => name === tool)?.inputSchema ?? null;
  const values = new Map<string, Json>();
  const raw: string[] = [];
  let problem: string | null = null;

  const fault = (words: string): void => void (problem ??= words);

  function made(complete: boolean): WireCall {
    return {
      ...emptyCall,
      tool,
      input: problem === null ? Object.fromEntries(values) : {},
      problem,
      inputText: problem === null ? null : raw.join(""),
      complete,
    };
  }

  return {
    tool,
    isEmpty: () => values.size === 0 && problem === null,
    parameter(name, text, tag) {
      const { value, problem: unreadable } = valueOf(text, { name, schema });
      if (unreadable !== null) fault(unreadable);
      if (values.has(name)) fault(`ambiguous: parameter "${name}" stands there twice. ${numbered}`);
      if (!isParameter(name, schema)) {
        fault(`unclear: ${tool} has no parameter "${name}". ${numbered}`);
      }
      if (tag === "parameter" && holdsParameterTag(text)) {
        fault(`ambiguous: a parameter tag stands inside parameter "${name}". ${numbered}`);
      }
      values.set(name, value);
    },
    fault,
    keep: (text) => void raw.push(text),
    whole: () => made(true),
    cut: () => made(false),
  };
}

const emptyCall: WireCall = {
  type: "tool_use",
  wireId: null,
  tool: "",
  input: {},
  problem: null,
  inputText: null,
  complete: false,
};

export const numbered =
  "A value that holds a parameter tag goes into a numbered tag, such as parameter-2";

/** An invoke tag with JSON in it instead of parameters. */
export function callOfBody(tool: string, text: string): WireCall {
  const { value, problem } = callArguments(text);
  const inputText = problem === null ? null : text;
  return { ...emptyCall, tool, input: value ?? {}, problem, inputText, complete: true };
}

/** `{"name": …, "arguments": {…}}`, as many open models write calls by themselves. */
export function callOfJson(text: string): WireCall {
  const { value, problem } = parseJson(text.trim());
  const object = objectOf(value);
  const tool = nameIn(object ?? {});
  const wrong = problem ?? (tool === null ? "without the name of a tool" : null);
  if (wrong !== null) {
    return { ...emptyCall, tool: tool ?? "", problem: wrong, inputText: text, complete: true };
  }
  const given = object?.["arguments"] ?? object?.["parameters"] ?? {};
  const said = typeof given === "string" ? given : JSON.stringify(given);
  return callOfBody(tool ?? "", said);
}

function nameIn(call: JsonObject): string | null {
  const name = stringOf(call["name"]);
  return name === "" ? null : name;
}

export const cutCall = (tool: string): WireCall => ({ ...emptyCall, tool });

/** The same call, which must not run. */
export const withFault = (call: WireCall, problem: string): WireCall =>
  call.problem === null ? { ...call, problem, inputText: JSON.stringify(call.input) } : call;
