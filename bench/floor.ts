// The floor: the least a program of this kind can do in the same Node. No journal, no checks, no limits; it sends the
// growing conversation, gets calls, reads the files, goes on. Types are taken off before it runs, so that it starts as
// plain JavaScript.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

interface Call {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: { readonly path?: string; readonly command?: string };
}

const [baseUrl = "", prompt = ""] = process.argv.slice(2);
const tools = [
  {
    name: "read",
    description: "Reads a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    name: "bash",
    description: "Runs a command.",
    input_schema: {
      type: "object",
      properties: { command: { type: "string" } },
      required: ["command"],
    },
  },
];
const messages: object[] = [{ role: "user", content: prompt }];

for (;;) {
  const response = await fetch(`${baseUrl}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "none" },
    body: JSON.stringify({ model: "bench", max_tokens: 8192, stream: true, tools, messages }),
  });
  const content = readBlocks(await response.text());
  messages.push({ role: "assistant", content });
  const calls = content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  messages.push({ role: "user", content: await Promise.all(calls.map(run)) });
}
process.stdout.write("done\n");

async function run({ id, input }: Call): Promise<object> {
  const { path, command } = input;
  const content = path === undefined ? await outputOf(command ?? "") : await readFile(path, "utf8");
  return { type: "tool_result", tool_use_id: id, content };
}

function outputOf(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("/bin/sh", ["-c", command], (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

function readBlocks(stream: string): (Call | { readonly type: "text" })[] {
  const blocks: { block: Record<string, unknown>; json: string }[] = [];
  for (const line of stream.split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const event = JSON.parse(line.slice(6));
    const open = blocks[event.index];
    if (event.type === "content_block_start")
      blocks[event.index] = { block: event.content_block, json: "" };
    else if (event.type !== "content_block_delta" || open === undefined) continue;
    else if (event.delta.type === "text_delta") {
      open.block["text"] = `${String(open.block["text"])}${event.delta.text}`;
    } else open.json += event.delta.partial_json;
  }
  return blocks.map(
    ({ block, json }) =>
      (json === "" ? block : { ...block, input: JSON.parse(json) }) as unknown as Call,
  );
}
