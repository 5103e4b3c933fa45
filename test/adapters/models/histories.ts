import fc from "fast-check";
import {
  callId,
  requestId,
  text,
  type AssistantBlock,
  type AssistantMessage,
  type Image,
  type Message,
  type Text,
  type ToolResult,
  type ToolUse,
  type UserBlock,
  type UserMessage,
} from "#core";
import type { ModelRequest } from "#runtime";

export const user = (...blocks: readonly UserBlock[]): UserMessage => ({
  role: "user",
  blocks,
  seq: 1,
});
/** Replies of one model. */
export const repliesOf =
  (model: string) =>
  (blocks: readonly AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
    role: "assistant",
    model,
    blocks,
    seq: 1,
    partial: false,
    ...more,
  });

export const use = (index: number, more: Partial<ToolUse> = {}): ToolUse => ({
  type: "tool_use",
  call: callId(requestId(1), index),
  wireId: `toolu_${index}`,
  tool: "read",
  input: { path: `f${index}` },
  problem: null,
  inputText: null,
  complete: true,
  ...more,
});
export const result = (
  index: number,
  content: readonly (Text | Image)[] = [text("ok")],
  isError = false,
): ToolResult => ({ type: "tool_result", call: callId(requestId(1), index), content, isError });
export const image: Image = { type: "image", mediaType: "image/png", data: "aGk=" };
export const readTool = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: {} },
} as const;

/** A request with everything in it, its messages apart. */
export const besideMessages: Pick<ModelRequest, "system" | "tools" | "toolChoice"> = {
  system: [
    { name: "date", text: "Today.", stable: false },
    { name: "role", text: "You are Pawl.", stable: true },
  ],
  tools: [readTool, { name: "bash", description: "Runs.", inputSchema: { type: "object" } }],
  toolChoice: "none",
};

const anyText = fc.oneof(
  fc.constantFrom("", "  \n", "hi", "你好 😀", "cut \ud83d", "\udc00", '"]}', "\0"),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const dataOf = (provider: string) =>
  fc.constantFrom(
    undefined,
    { provider, data: { signature: "s" } },
    { provider: "gemini", data: { signature: "s" } },
    { provider, data: { citations: [{ a: 1 }] } },
  );

/** Histories as the core keeps them: each call answered, in order, in the message after it. */
export function histories(model: string): fc.Arbitrary<readonly Message[]> {
  const provider = model.slice(0, model.indexOf("/"));
  const assistant = repliesOf(model);
  const anyModel = fc.constantFrom(model, model, `${provider}/older`, "other/x", "scripted/x");
  return fc
    .array(
      fc.record({
        prompts: fc.array(fc.array(anyText, { maxLength: 2 }), { maxLength: 2 }),
        model: anyModel,
        partial: fc.boolean(),
        said: fc.array(
          fc.record({
            kind: fc.constantFrom("text", "thinking", "server", "redacted"),
            text: anyText,
            opaque: dataOf(provider),
          }),
          { maxLength: 3 },
        ),
        calls: fc.array(
          fc.record({
            wireId: fc.constantFrom(null, "same", "call_0", "a|b", "toolu_ok"),
            tool: fc.constantFrom("read", "", "no such tool", "x".repeat(300)),
            input: fc.dictionary(anyText, anyText, { maxKeys: 2 }),
            results: fc.array(fc.oneof(anyText, fc.constant(null)), { maxLength: 2 }),
            isError: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 6 },
    )
    .map((turns) => {
      let ordinal = 0;
      return turns.flatMap((turn): readonly Message[] => {
        const calls = turn.calls.map((call) => ({
          ...call,
          call: callId(requestId(7), ordinal++),
        }));
        const said = turn.said.map(({ kind, text: content, opaque }): AssistantBlock => {
          const extra = opaque === undefined ? {} : { opaque };
          if (kind === "text") return { type: "text", text: content, ...extra };
          if (kind === "thinking") return { type: "thinking", text: content, ...extra };
          const data =
            kind === "server"
              ? { type: "web_search_tool_result", tool_use_id: "s", content: [] }
              : { type: "redacted_thinking", data: "x" };
          return { type: "opaque", provider: opaque?.provider ?? provider, data };
        });
        const uses = calls.map(({ call, wireId, tool, input }) =>
          use(0, { call, wireId, tool, input }),
        );
        const results = calls.map(({ call, results: contents, isError }): ToolResult => ({
          type: "tool_result",
          call,
          content: contents.map((one) => (one === null ? image : text(one))),
          isError,
        }));
        const reply = assistant([...said, ...uses], {
          model: turn.model,
          partial: turn.partial && calls.length === 0,
        });
        return [
          ...turn.prompts.map((texts) => user(...texts.map((one) => text(one)))),
          ...(said.length + uses.length > 0 ? [reply] : []),
          ...(results.length > 0 ? [user(...results)] : []),
        ];
      });
    });
}
