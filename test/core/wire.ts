import type { Message, ToolUse } from "#core";

/**
 * What every provider asks of a conversation, before adapters give it their form. Null when it is right, else
 * what is wrong: it begins with the user, sides alternate once neighbours of one side are joined, and every call
 * is answered once, in order, at the head of the very next message.
 */
export function conversationFault(messages: readonly Message[]): string | null {
  const sides = joined(messages);
  if (sides[0]?.role !== "user") return "it does not begin with the user";
  for (const [index, side] of sides.entries()) {
    const owed = side.role === "user" ? callsOf(sides[index - 1]) : [];
    if (side.role === "user" && !startsWithResults(side, owed)) {
      return `message ${index} does not begin with the results of ${owed.join(", ") || "no call"}`;
    }
  }
  const open = callsOf(sides.at(-1));
  return open.length === 0 ? null : `${open.join(", ")} has no result`;
}

interface Side {
  readonly role: Message["role"];
  readonly blocks: readonly Message["blocks"][number][];
}

function joined(messages: readonly Message[]): readonly Side[] {
  const sides: Side[] = [];
  for (const message of messages) {
    const last = sides.at(-1);
    if (last?.role === message.role) {
      sides[sides.length - 1] = { role: last.role, blocks: [...last.blocks, ...message.blocks] };
    } else sides.push(message);
  }
  return sides;
}

const callsOf = (side: Side | undefined): readonly string[] =>
  side === undefined || side.role === "user"
    ? []
    : side.blocks
        .filter((block): block is ToolUse => block.type === "tool_use")
        .map((use) => use.call);

function startsWithResults(side: Side, owed: readonly string[]): boolean {
  const results = side.blocks.filter((block) => block.type === "tool_result");
  const head = side.blocks.slice(0, owed.length);
  return (
    results.length === owed.length &&
    head.every((block, index) => block.type === "tool_result" && block.call === owed[index])
  );
}
