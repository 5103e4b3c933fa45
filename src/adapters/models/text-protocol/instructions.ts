import type { Section, ToolSpec } from "#runtime";
import { blockTag } from "./tags.ts";

/**
 * The part of the system prompt that says what tools there are and how a call is written. Generated from the registry
 * (requirements R104 and R105): name, description and schema of each tool, in the order of their names.
 */
export function callInstructions(tools: readonly ToolSpec[]): readonly Section[] {
  if (tools.length === 0) return [];
  const textOf = [format, "# The tools in full", ...tools.map(toolText)].join("\n\n");
  return [{ name: "tool_calls", text: textOf, stable: true }];
}

const format = `# How to call a tool

The tool-call mechanism of this interface is text: you write calls at the end of your reply, in one block that begins on a line of its own.

<${blockTag}>
<invoke name="TOOL">
<parameter name="PARAMETER">VALUE</parameter>
</invoke>
</${blockTag}>

- Several calls stand in the same block, each with an invoke tag of its own.
- Stop after the block. The results come with the next message; never write results yourself.
- A parameter that is a text holds exactly that text, between the tags: no quotes, no escapes, no line breaks of your own. All other values are written as JSON: 20, true, ["a", "b"], {"key": 1}.
- A text that itself holds a parameter tag goes into a numbered tag that it does not hold: <parameter-2 name="PARAMETER">VALUE</parameter-2>.
- Leave out parameters you do not need. To show a call without making it, put it into a code block.`;

const toolText = ({ name, description, inputSchema }: ToolSpec): string =>
  `## ${name}\n\n${description.trim()}\n\nParameters, as JSON Schema: ${JSON.stringify(inputSchema)}`;
