import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedServer, type ScriptedTurn } from "#testing";
import { anthropicFrames } from "../../../src/adapters/models/scripted/anthropic-frames.ts";
import { chatFrames } from "../../../src/adapters/models/scripted/chat-frames.ts";
import { geminiFrames } from "../../../src/adapters/models/scripted/gemini-frames.ts";
import { responsesFrames } from "../../../src/adapters/models/scripted/responses-frames.ts";
import { ask, request } from "./asking.ts";
import { wires } from "./wires.ts";

const turn: ScriptedTurn = {
  thinking: "先看 👩‍💻",
  text: "One\ntwo 🛠️, line\u2028separator.",
  calls: [{ tool: "read", input: { path: "a\r\n“b”.ts", limit: 7 } }],
};
const framesOf = {
  Anthropic: anthropicFrames,
  "Chat Completions of openai-compatible": chatFrames,
  Responses: responsesFrames,
  Gemini: geminiFrames,
} as const;

/** JSON in as many lines of data as it has when it is indented. */
const inManyLines = (stream: string): string =>
  stream.replaceAll(/^data: (\{.*\})$/gm, (_, json: string) =>
    JSON.stringify(JSON.parse(json), null, 1)
      .split("\n")
      .map((line) => `data: ${line}`)
      .join("\n"),
  );

const framings: readonly (readonly [name: string, change: (stream: string) => string])[] = [
  ["CRLF line ends", (stream) => stream.replaceAll("\n", "\r\n")],
  ["CR line ends", (stream) => stream.replaceAll("\n", "\r")],
  ["comments between and inside events", (stream) => stream.replaceAll("\ndata:", "\n: hi\ndata:")],
  ["no space after the colon", (stream) => stream.replaceAll(/^(\w+): /gm, "$1:")],
  ["data in many lines", inManyLines],
  ["fields nobody knows", (stream) => stream.replaceAll(/^data:/gm, "id: 1\nretry: 9\nx\ndata:")],
  ["a byte order mark", (stream) => `\uFEFF${stream}`],
  ["no blank line at the end", (stream) => stream.trimEnd()],
  ["blank lines everywhere", (stream) => `\n\n${stream.replaceAll("\n\n", "\n\n\n\n")}\n`],
];

for (const [name, frames] of Object.entries(framesOf)) {
  const wire = wires.find((one) => one.name === name);
  const model = wire?.model ?? "";
  const bytes = frames(turn, { index: 0, model: "m" }).map((frame) => frame.bytes);
  const stream = Buffer.concat(bytes).toString("utf8");

  test(`${name}: events are the same in any framing, whole and byte by byte [P07]`, async () => {
    const streams = [stream, ...framings.map(([, change]) => change(stream))];
    const turns = streams.map((sse): ScriptedTurn => ({ sse }));
    const inPieces = turns.map((one): ScriptedTurn => ({
      ...one,
      fault: { type: "pieces", bytes: 1 },
    }));
    await using server = await startScriptedServer({
      turns: [...turns, ...inPieces],
      checks: "light",
    });
    const client = wire?.client(server.url);
    assert.ok(client !== undefined);
    const whole = await ask(client, { request: { ...request, model } });
    assert.ok(whole.type === "end" && whole.reply.blocks.length === 3, JSON.stringify(whole));
    const names = ["as it is", ...framings.map(([framing]) => framing)];
    for (const framing of [...names.slice(1), ...names.map((one) => `${one}, byte by byte`)]) {
      const last = await ask(client, { request: { ...request, model } });
      assert.deepEqual(last, whole, framing);
    }
  });
}
