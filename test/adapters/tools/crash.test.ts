import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callId, requestId, type Json, type JsonObject, type ToolEnd } from "#core";
import type { AnyTool, Probe } from "#runtime";
import { builtInTools } from "#adapters/tools";
import { open, said, start, use, sha256, workbench, type Workbench } from "./workbench.ts";

/** Processes that are started again and again compile once. */
const cache = workbench();

const toolNamed = (wanted: string): AnyTool => {
  const tool = builtInTools().find(({ name }) => name === wanted);
  assert.ok(tool);
  return tool;
};

/** Runs a call in a process that dies at the point; gives what its journal would hold. */
function killAt(
  point: string,
  call: { readonly tool: string; readonly input: JsonObject; readonly time?: number },
  bench: Workbench,
): Json {
  const child = spawnSync(process.execPath, [join(import.meta.dirname, "kill-inside.ts")], {
    encoding: "utf8",
    env: { ...process.env, NODE_COMPILE_CACHE: cache.path("") },
    input: JSON.stringify({
      ...call,
      docs: Object.fromEntries(bench.docs),
      point,
      cwd: bench.cwd,
      runsDir: bench.env.runsDir,
    }),
  });
  assert.equal(child.signal, "SIGKILL", child.stderr);
  return JSON.parse(child.stdout);
}

const probe = async (tool: string, intent: Json, bench: Workbench): Promise<Probe> => {
  const probed = await open(toolNamed(tool)).probe?.(intent, {
    ...bench.env,
    call: callId(requestId(1), 0),
  });
  assert.ok(probed);
  return probed;
};

const content = "x".repeat(200_000);
const calls = {
  write: { tool: "write", input: { path: "d/new.txt", content } },
  overwrite: { tool: "write", input: { path: "old.txt", content } },
  edit: { tool: "edit", input: { path: "old.txt", old_text: "two", new_text: "2" } },
} as const;

const matrix: readonly (readonly [
  call: keyof typeof calls,
  point: string,
  verdict: Probe["verdict"],
])[] = [
  ["write", "write.before_temp", "did_not_happen"],
  ["write", "write.after_temp", "did_not_happen"],
  ["write", "write.before_rename", "did_not_happen"],
  ["write", "write.after_rename", "happened"],
  ["overwrite", "write.after_temp", "did_not_happen"],
  ["overwrite", "write.after_rename", "happened"],
  ["edit", "edit.before_temp", "did_not_happen"],
  ["edit", "edit.before_rename", "did_not_happen"],
  ["edit", "edit.after_rename", "happened"],
];

test("R81 R86 [E13] a file tool killed anywhere leaves the old file or the new one, and the probe tells which", async () => {
  const found = [];
  for (const [name, point] of matrix) {
    const bench = workbench({ "old.txt": "one\ntwo\n" });
    const twin = workbench({ "old.txt": "one\ntwo\n" });
    const call = calls[name];
    await use(toolNamed("read"), { path: "old.txt" }, bench);
    await use(toolNamed("read"), { path: "old.txt" }, twin);
    const intent = killAt(point, call, bench);
    const probed = await probe(call.tool, intent, bench);
    // What did not happen is run again; then both ways must look the same.
    const end = probed.end ?? (await use(toolNamed(call.tool), call.input, bench));
    const unkilled = await use(toolNamed(call.tool), call.input, twin);
    const names = (one: Workbench): unknown =>
      readdirSync(one.cwd, { recursive: true }).map(String).toSorted();
    assert.deepEqual(names(bench), names(twin), `${name} ${point}`);
    assert.ok(bench.bytes(call.input.path).equals(twin.bytes(call.input.path)));
    assert.equal(said(end), said(unkilled));
    assert.deepEqual(
      JSON.parse(JSON.stringify(end.effects).replaceAll(bench.cwd, "")),
      JSON.parse(JSON.stringify(unkilled.effects).replaceAll(twin.cwd, "")),
    );
    found.push([name, point, probed.verdict]);
  }
  assert.deepEqual(found, matrix);
});

const several = {
  tool: "edit",
  input: {
    patch: [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+1",
      "*** Add File: d/new.txt",
      "+new",
      "*** Delete File: gone.txt",
      "*** Update File: moved.txt",
      "*** Move to: d/there.txt",
      "@@",
      "-two",
      "+2",
      "*** End Patch",
    ].join("\n"),
  },
} as const;

const severalFiles = { "a.txt": "one\n", "gone.txt": "x\n", "moved.txt": "two\n" };

const treeOf = (one: Workbench): unknown =>
  readdirSync(one.cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(one.cwd.length + 1))
    .toSorted()
    .map((name) => [name, one.text(name)]);

/** What the process does that comes after the killed one. */
async function recover(intent: Json, bench: Workbench): Promise<ToolEnd> {
  const edit = open(toolNamed(several.tool));
  const probed = await probe(several.tool, intent, bench);
  if (probed.end !== null) return probed.end;
  if (probed.verdict !== "running") return await use(toolNamed(several.tool), several.input, bench);
  const parsed = edit.parse(several.input);
  assert.ok(typeof parsed !== "string");
  return await edit.run(parsed, {
    ...bench.env,
    call: callId(requestId(1), 0),
    attempt: 2,
    intent,
    judged: edit.need(parsed, bench.env),
    signal: new AbortController().signal,
    timeoutMs: 120_000,
    isHidden: () => false,
    progress: () => {},
  });
}

test("R81 R86 a change of several files killed anywhere is finished as a whole, and reported alike", async () => {
  const points = [
    ["before_temp", 2],
    ["after_temp", 3],
    ["before_rename", 1],
    ["before_rename", 4],
    ["after_rename", 1],
    ["after_rename", 4],
    ["after_rename", 5],
  ] as const;
  const twin = workbench(severalFiles);
  const unkilled = await use(toolNamed(several.tool), several.input, twin);
  assert.equal(unkilled.outcome, "ok", said(unkilled));
  const verdicts = new Set<string>();
  for (const [point, time] of points) {
    const bench = workbench(severalFiles);
    const intent = killAt(`edit.${point}`, { ...several, time }, bench);
    verdicts.add((await probe(several.tool, intent, bench)).verdict);
    const end = await recover(intent, bench);
    assert.deepEqual(treeOf(bench), treeOf(twin), `${point} ${time}`);
    assert.equal(said(end), said(unkilled));
    assert.deepEqual(
      JSON.parse(JSON.stringify(end.effects).replaceAll(bench.cwd, "")),
      JSON.parse(JSON.stringify(unkilled.effects).replaceAll(twin.cwd, "")),
    );
  }
  assert.deepEqual([...verdicts].toSorted(), ["did_not_happen", "happened", "running"]);
});

test("R86 of a change of several files that cannot be finished it is said how far it came", async () => {
  const bench = workbench(severalFiles);
  const intent = killAt("edit.after_rename", { ...several, time: 1 }, bench);
  for (const name of readdirSync(bench.path("d"))) rmSync(bench.path(join("d", name)));
  const end = await recover(intent, bench);
  assert.equal(end.outcome, "error");
  assert.match(said(end), /Only part of the call was done: .*a\.txt is changed; .*new\.txt is not/);
  assert.equal(bench.text("moved.txt"), "two\n");
});

test("R86 a file that is neither as before nor as intended is undetermined, with the evidence", async () => {
  const bench = workbench({ "old.txt": "one\ntwo\n" });
  const intent = killAt("edit.before_rename", calls.edit, bench);
  writeFileSync(bench.path("old.txt"), "somebody else");
  const probed = await probe("edit", intent, bench);
  assert.equal(probed.verdict, "undetermined");
  assert.match(probed.evidence, /has other content: neither what it was before/);
  assert.deepEqual(readdirSync(bench.cwd), ["old.txt"]);
});

test("R82 a write that happened already is a no-op the second time", async () => {
  const bench = workbench();
  const write = toolNamed("write");
  await use(write, { path: "a.txt", content: "same\n" }, bench);
  const again = await use(write, { path: "a.txt", content: "same\n" }, bench);
  assert.deepEqual(
    [again.outcome, again.effects, said(again)],
    ["ok", [], "nothing written: a.txt has exactly this content already (5 bytes)"],
  );
  const started = await start(write, { path: "a.txt", content: "same\n" }, bench);
  assert.ok(typeof started !== "string");
  assert.equal((await started.probe()).verdict, "happened");
});

test("R83 the intent names the file's hash before and after, as the journal keeps it", async () => {
  const bench = workbench({ "a.txt": "old\n" });
  await use(toolNamed("read"), { path: "a.txt" }, bench);
  const started = await start(toolNamed("write"), { path: "a.txt", content: "new\n" }, bench);
  assert.ok(typeof started !== "string");
  assert.deepEqual(started.intent, {
    type: "change",
    files: [
      {
        path: bench.path("a.txt"),
        before: sha256("old\n"),
        after: sha256("new\n"),
        mode: 0o644,
        bytes: 4,
        lines: [1, 1],
        message: "wrote 4 bytes to a.txt, line 1 (replaced 4 bytes, 1 line)",
        isKnown: true,
      },
    ],
  });
});

test("R84 the bytes that are replaced are kept before they are", async () => {
  const bench = workbench({ "a.txt": "old\n" });
  await use(toolNamed("read"), { path: "a.txt" }, bench);
  const end = await use(toolNamed("write"), { path: "a.txt", content: "new\n" }, bench);
  const [effect] = end.effects;
  assert.ok(effect?.type === "file_written" && effect.before !== null);
  assert.equal(Buffer.from(await bench.env.getBlob(effect.before)).toString(), "old\n");
});
