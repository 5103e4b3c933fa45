import { callId, type AssistantBlock, type ReplyBlock, type RequestId } from "#core";

/** Half characters, left by a cut, would reach programs that cannot read them: they become U+FFFD (case W05). */
const wellFormed = (block: ReplyBlock): ReplyBlock =>
  block.type === "text" && typeof block.text === "string"
    ? { ...block, text: block.text.toWellFormed() }
    : block;

/** Names of tools are shown, matched and written in every fact of a call: no real one is nearly as long. */
const longestName = 256;

/** The blocks of a reply as facts hold them. Ids of calls are functions of the request and the place in its reply. */
export function namedBlocks(
  request: RequestId,
  blocks: readonly ReplyBlock[],
): readonly AssistantBlock[] {
  let index = 0;
  return blocks.map(wellFormed).map((block) => {
    if (block.type !== "tool_use") return block;
    const tool = block.tool.slice(0, longestName).toWellFormed();
    const named = { ...block, tool, call: callId(request, index) };
    index += 1;
    return named;
  });
}
