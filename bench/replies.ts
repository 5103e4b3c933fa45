/** One call of a reply. */
export interface WantedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A reply of the Messages API as it streams. With calls it asks for them, without it ends the run. */
export function replyStream(turn: number, calls: readonly WantedCall[]): string {
  const usage = { input_tokens: 1000, output_tokens: 40 };
  const message = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: "bench",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const said = calls.length === 0 ? "All done." : "I look at that next.";
  const reason = calls.length === 0 ? "end_turn" : "tool_use";
  return [
    { type: "message_start", message },
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text: said }),
    ...calls.flatMap(({ tool, input }, index) =>
      block(
        index + 1,
        { type: "tool_use", id: `toolu_${turn}_${index}`, name: tool, input: {} },
        { type: "input_json_delta", partial_json: JSON.stringify(input) },
      ),
    ),
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 40 },
    },
    { type: "message_stop" },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** One event of a stream, with whatever its type brings. */
interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

const block = (index: number, content: object, delta: object): readonly Event[] => [
  { type: "content_block_start", index, content_block: content },
  { type: "content_block_delta", index, delta },
  { type: "content_block_stop", index },
];
