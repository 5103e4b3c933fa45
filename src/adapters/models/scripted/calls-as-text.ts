import type { ScriptedCall, ScriptedTurn } from "./script.ts";

/** The turn as a model says it that knows no tools: its calls are text, in the words of the text protocol. */
export function callsAsText(turn: ScriptedTurn): ScriptedTurn {
  const { calls = [], ...rest } = turn;
  const texts = calls.map(callAsText);
  const last = texts.length - 1;
  return {
    ...rest,
    callTexts: texts.map((text, index) =>
      [
        index === 0 ? "\n\n<tool_calls>\n" : "\n",
        text,
        index === last ? "\n</tool_calls>" : "",
      ].join(""),
    ),
  };
}

/** Texts of a parameter that hold its tag are beyond this model: scripts that need them write `text`. */
function callAsText({ tool, input, inputText }: ScriptedCall): string {
  const parameters = Object.entries(input).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `<parameter name="${name}">${text}</parameter>`;
  });
  const inside = inputText === undefined ? parameters : [inputText];
  return [`<invoke name="${tool}">`, ...inside, "</invoke>"].join("\n");
}
