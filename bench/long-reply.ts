import { createServer } from "node:http";
import { Readable } from "node:stream";

/** A long reply: so many equal pieces of a text, or of the arguments of one call. */
export interface LongReply {
  readonly wire: WireName;
  readonly of: "text" | "arguments";
  readonly piece: string;
  readonly pieces: number;
}

export const wireNames = ["anthropic", "openai-chat", "openai-responses", "gemini"] as const;
export type WireName = (typeof wireNames)[number];

type Frame = Readonly<Record<string, unknown>>;

/** How one wire says it: what comes before the pieces, one of them, and what comes after. */
interface Form {
  readonly before: readonly Frame[];
  readonly piece: (piece: string) => Frame;
  readonly after: readonly Frame[];
}

/** A server on this machine whose every answer is the reply, made frame by frame as it is taken. */
export async function serveLongReply(reply: LongReply): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    Readable.from(batchesOf(reply)).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Frames of one write. */
const batched = 64;

function* batchesOf({ wire, of, piece, pieces }: LongReply): Generator<Buffer> {
  const form = forms[wire][of];
  const one = sse(form.piece(piece));
  yield Buffer.from(form.before.map(sse).join(""));
  for (let left = pieces; left > 0; left -= batched) {
    yield Buffer.from(one.repeat(Math.min(batched, left)));
  }
  yield Buffer.from(form.after.map(sse).join(""));
}

function sse(frame: Frame): string {
  const name = typeof frame["type"] === "string" ? `event: ${frame["type"]}\n` : "";
  return `${name}data: ${JSON.stringify(frame)}\n\n`;
}

const opening = '{"content":"';
const closing = '"}';

const anthropic = (block: Frame, stop: string, delta: (piece: string) => Frame): Form => {
  const piece = (text: string): Frame => ({
    type: "content_block_delta",
    index: 0,
    delta: delta(text),
  });
  const isCall = stop === "tool_use";
  return {
    before: [
      { type: "message_start", message: { id: "m", model: "bench", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: block },
      ...(isCall ? [piece(opening)] : []),
    ],
    piece,
    after: [
      ...(isCall ? [piece(closing)] : []),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
  };
};

const chat = (delta: (piece: string) => Frame, stop: string, first: readonly Frame[]): Form => {
  const chunk = (choice: Frame): Frame => ({ id: "c", model: "bench", choices: [choice] });
  const piece = (text: string): Frame => chunk({ index: 0, delta: delta(text) });
  const isCall = stop === "tool_calls";
  return {
    before: first.map((one) => chunk({ index: 0, delta: one })),
    piece,
    after: [
      ...(isCall ? [piece(closing)] : []),
      chunk({ index: 0, delta: {}, finish_reason: stop }),
    ],
  };
};

const responses = (item: Frame, event: string): Form => {
  const at = { item_id: "i", output_index: 0, content_index: 0 };
  const piece = (delta: string): Frame => ({ type: event, ...at, delta });
  const isCall = item["type"] === "function_call";
  return {
    before: [
      { type: "response.created", response: { id: "r", model: "bench" } },
      { type: "response.output_item.added", output_index: 0, item },
      ...(isCall ? [piece(opening)] : []),
    ],
    piece,
    after: [
      ...(isCall ? [piece(closing)] : []),
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r", status: "completed" } },
    ],
  };
};

const gemini = (before: readonly Frame[], part: (piece: string) => Frame): Form => {
  const frame = (one: Frame): Frame => ({
    candidates: [{ index: 0, content: { role: "model", parts: [one] } }],
  });
  return {
    before: before.map(frame),
    piece: (text) => frame(part(text)),
    after: [
      ...(before.length > 0 ? [frame({ functionCall: {} })] : []),
      { candidates: [{ index: 0, finishReason: "STOP" }] },
    ],
  };
};

const forms: Readonly<Record<WireName, Readonly<Record<LongReply["of"], Form>>>> = {
  anthropic: {
    text: anthropic({ type: "text", text: "" }, "end_turn", (text) => ({
      type: "text_delta",
      text,
    })),
    arguments: anthropic(
      { type: "tool_use", id: "t", name: "write", input: {} },
      "tool_use",
      (partial) => ({ type: "input_json_delta", partial_json: partial }),
    ),
  },
  "openai-chat": {
    text: chat((content) => ({ content }), "stop", []),
    arguments: chat(
      (args) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
      "tool_calls",
      [
        {
          tool_calls: [{ index: 0, id: "t", function: { name: "write", arguments: opening } }],
        },
      ],
    ),
  },
  "openai-responses": {
    text: responses({ type: "message", id: "i", content: [] }, "response.output_text.delta"),
    arguments: responses(
      { type: "function_call", id: "i", call_id: "t", name: "write" },
      "response.function_call_arguments.delta",
    ),
  },
  gemini: {
    text: gemini([], (text) => ({ text })),
    arguments: gemini([{ functionCall: { name: "write", willContinue: true } }], (text) => ({
      functionCall: {
        partialArgs: [{ jsonPath: "$.content", stringValue: text, willContinue: true }],
        willContinue: true,
      },
    })),
  },
};
