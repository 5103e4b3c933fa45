import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { atMost, type Line } from "./line.ts";
import { serveLongReply, wireNames, type WireName } from "./long-reply.ts";
import type { Bench } from "./run.ts";

const titles: Readonly<Record<WireName, string>> = {
  anthropic: "Messages",
  "openai-chat": "Chat Completions",
  "openai-responses": "Responses",
  gemini: "Gemini",
};

/** What one long reply takes on each wire. Its server is this process, so only the reader is measured. */
export async function longReplyLines({ workplace }: Bench): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const wire of wireNames) {
    lines.push({
      id: `arguments-${wire}`,
      title: `2 MB of arguments in 20,000 pieces, ${titles[wire]}: CPU`,
      unit: "ms",
      floor: null,
      pawl: await cpuMsOfArguments(wire, workplace.cwd),
      goal: atMost(1000),
    });
  }
  for (const wire of wireNames) {
    lines.push({
      id: `long-text-${wire}`,
      title: `1 MB of text in 83,334 pieces, ${titles[wire]}: memory while it streams`,
      unit: "MB",
      floor: null,
      pawl: (await bytesOfText(wire, { cwd: workplace.cwd, pieces: 83_334 })) / 1e6,
      goal: atMost(2),
    });
  }
  return lines;
}

async function cpuMsOfArguments(wire: WireName, cwd: string): Promise<number> {
  await using server = await serveLongReply({
    wire,
    of: "arguments",
    piece: "x".repeat(100),
    pieces: 20_000,
  });
  return Number(await printed([join(ROOT, "bench", "reply-cpu.ts"), server.url, wire], cwd));
}

/** Most bytes alive while a text streams in pieces of 12 letters. */
export async function bytesOfText(
  wire: WireName,
  { cwd, pieces }: { readonly cwd: string; readonly pieces: number },
): Promise<number> {
  const text = { wire, of: "text", piece: "a few words " } as const;
  await using warm = await serveLongReply({ ...text, pieces: 2000 });
  await using server = await serveLongReply({ ...text, pieces });
  const file = join(ROOT, "bench", "reply-memory.ts");
  return Number(await printed(["--expose-gc", file, warm.url, server.url, wire], cwd));
}

async function printed(args: readonly string[], cwd: string): Promise<string> {
  return (await runNode({ args, cwd, env: {}, usageFile: null })).stdout;
}
