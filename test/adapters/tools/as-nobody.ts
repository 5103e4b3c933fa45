// Runs calls in a process of its own that is not root: see nobody.ts. On stdin: JSON of
// { cwd, calls: [[tool, input], …] }. Prints the ends as JSON. Everything is loaded before root's rights are given up,
// since somebody else may not be able to read this folder.

import { mkdtempSync, readFileSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchIn, start, type Workbench } from "./bench.ts";
import { nobody } from "./nobody.ts";
import { builtInTools } from "#adapters/tools";
import type { JsonObject, ToolEnd } from "#core";

const tools = builtInTools();

async function run(name: string, input: JsonObject, bench: Workbench): Promise<ToolEnd> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const started = await start(tool, input, bench);
  return typeof started === "string"
    ? { outcome: "error", content: [{ type: "text", text: started }], effects: [] }
    : await started.run();
}

/** Loads what tools load late. */
async function warmUp(): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-warm-")));
  const bench = benchIn(root, { "a.txt": "a\n", ".gitignore": "b\n" });
  await run("read", { path: "a.txt" }, bench);
  await run("edit", { path: "a.txt", old_text: "a", new_text: "b" }, bench);
  await run("grep", { pattern: "a" }, bench);
  await run("glob", { pattern: "**/*" }, bench);
  await run("list", {}, bench);
  rmSync(root, { recursive: true });
}

const { cwd, calls } = JSON.parse(readFileSync(0, "utf8"));
await warmUp();
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
if (process.getuid?.() === 0) throw new Error("this process is still root");
const bench = benchIn(join(cwd, ".."), {});
const ends: ToolEnd[] = [];
for (const [name, input] of calls) ends.push(await run(name, input, bench));
writeSync(1, JSON.stringify(ends));
