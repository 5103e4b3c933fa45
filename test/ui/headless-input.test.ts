import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";

import { jsonLine } from "../../src/ui/headless/json-line.ts";
import { linesOf, maxLineBytes, parseCommandLine } from "../../src/ui/headless/command-lines.ts";
import { readPipedInput } from "../../src/ui/headless/piped-input.ts";

async function linesIn(bytes: Uint8Array, size: number): Promise<readonly (string | null)[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const lines: (string | null)[] = [];
  for await (const line of linesOf(Readable.from(pieces))) lines.push(line.text);
  return lines;
}

test("[P01] [H07] lines split at newlines only, whole at every split of their bytes", async () => {
  const bytes = Buffer.from("一二\u2028三\n\r\n\n😀 end");
  const sizes = Array.from({ length: bytes.length }, (_, index) => index + 1);
  const all = await Promise.all(sizes.map((size) => linesIn(bytes, size)));
  const expected = ["一二\u2028三", "\r", "", "😀 end"];
  assert.deepEqual(
    all,
    sizes.map(() => expected),
  );
});

test("a line without end does not fill the memory, and the next line is read", async () => {
  const long = Buffer.alloc(maxLineBytes + 10, 0x61);
  const lines = await linesIn(Buffer.concat([long, Buffer.from("\nnext\n")]), 65_536);
  assert.deepEqual(lines, [null, "next"]);
});

const answer = { type: "answer", call: "r1-0", verdict: "allow" };
const commandLines = [
  {
    title: "a prompt",
    line: '{"type":"prompt","text":"go"}',
    command: { type: "prompt", blocks: [{ type: "text", text: "go" }] },
  },
  {
    title: "a prompt of texts and images",
    line: JSON.stringify({
      type: "prompt",
      content: [
        { type: "text", text: "see" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      ],
    }),
    command: {
      type: "prompt",
      blocks: [
        { type: "text", text: "see" },
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ],
    },
  },
  {
    title: "an interrupt is graceful unless it says now",
    line: '{"type":"interrupt"}',
    command: { type: "interrupt", now: false },
  },
  {
    title: "an interrupt now",
    line: '{"type":"interrupt","now":true}',
    command: { type: "interrupt", now: true },
  },
  {
    title: "an answer counts once",
    line: JSON.stringify(answer),
    command: { ...answer, scope: "once", reason: "" },
  },
  {
    title: "an answer for the session",
    line: JSON.stringify({ ...answer, scope: "session", reason: "ok" }),
    command: { ...answer, scope: "session", reason: "ok" },
  },
  {
    title: "always is the session in this version",
    line: JSON.stringify({ ...answer, scope: "always" }),
    command: { ...answer, scope: "session", reason: "" },
  },
  { title: "a compaction", line: ' {"type":"compact"} \r', command: { type: "compact" } },
];

for (const { title, line, command } of commandLines) {
  test(`a command line: ${title}`, () => {
    const parsed = parseCommandLine(line);
    assert.deepEqual(parsed.at === "command" && parsed.command, command);
  });
}

const badLines = [
  { title: "[H02] blanks", line: " \t\r", at: "blank" },
  { title: "half an object", line: '{"type":', at: "bad" },
  { title: "a list", line: "[]", at: "bad" },
  { title: "null", line: "null", at: "bad" },
  { title: "an unknown type", line: '{"type":"exec"}', at: "bad" },
  { title: "a type that is a number", line: '{"type":5}', at: "bad" },
  { title: "a prompt without text", line: '{"type":"prompt","text":5}', at: "bad" },
  {
    title: "an image by address, which nobody here fetches",
    line: '{"type":"prompt","content":[{"type":"image","source":{"type":"url","url":"x"}}]}',
    at: "bad",
  },
  { title: "content that is text", line: '{"type":"prompt","content":"go"}', at: "bad" },
  {
    title: "a verdict nobody knows",
    line: JSON.stringify({ ...answer, verdict: "maybe" }),
    at: "bad",
  },
  { title: "a scope nobody knows", line: JSON.stringify({ ...answer, scope: "world" }), at: "bad" },
  { title: "now that is a word", line: '{"type":"interrupt","now":"yes"}', at: "bad" },
];

for (const { title, line, at } of badLines) {
  test(`a line that is no command: ${title}`, () => assert.equal(parseCommandLine(line).at, at));
}

test("[H07] a protocol line holds no line separators, and reads back as the same value", () => {
  const value = { text: "a\u2028b\u2029c\n" };
  const line = jsonLine(value);
  assert.deepEqual(line.match(/[\u2028\u2029\n]/g), ["\n"]);
  assert.deepEqual(JSON.parse(line), value);
});

test("piped input is read whole, whatever its pieces", async () => {
  const input = await readPipedInput(
    Readable.from([Buffer.from("你好").subarray(0, 4), Buffer.from("你好").subarray(4)]),
    "pipe",
    "patiently",
  );
  assert.deepEqual(input, { at: "read", text: "你好", damaged: false });
});

test("input that is no UTF-8 is read and said", async () => {
  const input = await readPipedInput(Readable.from([Buffer.from([0xff])]), "file", "to_the_end");
  assert.deepEqual(input, { at: "read", text: "\uFFFD", damaged: true });
});

test("a silent socket is given up after its patience, a terminal is not read at all", async () => {
  assert.deepEqual(await readPipedInput(new PassThrough(), "socket", "patiently"), {
    at: "silent",
  });
  assert.deepEqual(await readPipedInput(new PassThrough(), "none", "to_the_end"), { at: "none" });
});

test("input longer than a prompt may be ends the reading", async () => {
  const endless = new Readable({
    read() {
      setImmediate(() => this.push(Buffer.alloc(1_000_000)));
    },
  });
  const input = await readPipedInput(endless, "pipe", "patiently");
  assert.equal(input.at, "too_long");
});
