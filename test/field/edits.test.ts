import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { decide, type JsonObject, type ToolEnd } from "#core";
import type { AnyTool } from "#runtime";
import { builtInTools } from "#adapters/tools";
import { said, start, workbench, type Workbench } from "../adapters/tools/workbench.ts";
import { fixturesFolder, readJson } from "./fixtures.ts";

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;

/** Cases this version does not do as the fixture wants, and why. */
const unsupported: Readonly<Record<string, string>> = {
  "edit-changed-since-read":
    "edit needs no earlier read: a unique place in the file as it is now is proof enough (E14)",
};

/** A call, or a change by somebody else. */
interface Step {
  readonly [name: string]: string;
}

interface Case {
  readonly id: string;
  readonly path?: string;
  readonly before?: string | null;
  readonly beforeBase64?: string;
  readonly edit?: JsonObject;
  readonly edits?: readonly JsonObject[];
  readonly call?: Step;
  readonly steps?: readonly Step[];
  readonly tree?: Readonly<Record<string, string>>;
  readonly treeBase64?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly outside?: Readonly<Record<string, string>>;
  readonly mode?: Readonly<Record<string, string>>;
  readonly expect?: {
    readonly ok: boolean;
    readonly error?: string;
    readonly after?: string;
    readonly afterBase64?: string;
    readonly tree?: Readonly<Record<string, string>>;
    readonly links?: Readonly<Record<string, string>>;
    readonly mode?: Readonly<Record<string, string>>;
  };
  readonly after?: string;
  readonly alsoAccept?: string;
}

/** The fixtures' error names by what our texts say. */
const names: readonly (readonly [name: string, says: RegExp])[] = [
  ["not_found", /old_text is not in/],
  ["multiple_matches", /old_text is at \d+ places/],
  ["overlap", /change the same text/],
  ["no_change", /are the same/],
  ["no_edits", /`edits` is empty/],
  ["empty_old_text", /old_text is empty/],
  ["omission_placeholder", /stands for text left out/],
  ["file_not_found", /There is no file/],
  ["is_directory", /is a folder, not a file/],
  ["not_a_directory", /is a file, not a folder/],
  ["binary_file", /is a binary file/],
  ["bad_path", /NUL character/],
  ["permission_denied", /does not allow it/],
  ["outside_workspace", /is outside the workspace/],
];

const nameOf = (text: string): string =>
  names.find(([, says]) => says.test(text))?.[0] ?? `unknown error: ${text}`;

function cases(name: string): readonly Case[] {
  if (folder === null) return [];
  const file = readJson(join(folder, "edits", name));
  assert.ok(typeof file === "object" && file !== null && "cases" in file);
  assert.ok(Array.isArray(file.cases));
  return file.cases;
}

const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));
const toolNamed = (name: string): AnyTool => {
  const tool = tools.get(name);
  assert.ok(tool);
  return tool;
};

/** Runs a call as a session would that answers no questions: what lies outside is denied. */
async function call(tool: AnyTool, input: JsonObject, bench: Workbench): Promise<ToolEnd | string> {
  const started = await start(tool, input, bench);
  if (typeof started === "string") return started;
  const policy = {
    mode: "edit",
    rules: [],
    roots: bench.env.roots,
    questions: "deny",
  } as const;
  const decision = decide(policy, { tool: tool.name, input, ...started.need }, []);
  return decision.verdict === "allow" ? await started.run() : decision.reason;
}

/** Null when it came out right, else what is wrong. */
async function runReplace(one: Case): Promise<string | null> {
  const bench = workbench();
  const before =
    one.beforeBase64 === undefined
      ? Buffer.from(one.before ?? "", "utf8")
      : Buffer.from(one.beforeBase64, "base64");
  bench.file("f.txt", before);
  const arguments_ = one.edits === undefined ? one.edit : { edits: one.edits };
  const end = await call(toolNamed("edit"), { path: "f.txt", ...arguments_ }, bench);
  const after = bench.bytes("f.txt");
  if (typeof end !== "string" && end.outcome === "ok") {
    const wanted =
      one.expect?.afterBase64 === undefined
        ? Buffer.from(one.expect?.after ?? one.after ?? "", "utf8")
        : Buffer.from(one.expect.afterBase64, "base64");
    if (one.expect?.ok === false) return "it was applied";
    return after.equals(wanted) ? null : `wrong bytes: ${JSON.stringify(after.toString("utf8"))}`;
  }
  const error = nameOf(typeof end === "string" ? end : said(end));
  if (!after.equals(before)) return `${error}, but the file changed`;
  return error === one.expect?.error || error === one.alsoAccept ? null : error;
}

async function runFiles(one: Case): Promise<string | null> {
  const bench = layOut(one);
  let end: ToolEnd | string = "no step";
  for (const step of one.steps ?? [one.call ?? {}]) {
    if (step["outside"] === "write") {
      bench.file(step["path"] ?? "", step["content"] ?? "");
      continue;
    }
    const { tool, ...input } = step;
    end = await call(toolNamed(tool ?? ""), input, bench);
  }
  const isOk = typeof end !== "string" && end.outcome === "ok";
  const error = isOk ? null : nameOf(typeof end === "string" ? end : said(end));
  if (isOk !== one.expect?.ok) return isOk ? "it was applied" : error;
  if (error !== null && error !== one.expect.error && error !== one.alsoAccept) return error;
  return differences(one, bench);
}

function layOut(one: Case): Workbench {
  const bench = workbench(one.tree ?? {});
  for (const [name, content] of Object.entries(one.treeBase64 ?? {})) {
    bench.file(name, Buffer.from(content, "base64"));
  }
  for (const [name, content] of Object.entries(one.outside ?? {})) {
    writeFileSync(join(dirname(bench.cwd), name), content);
  }
  for (const [name, target] of Object.entries(one.links ?? {})) {
    mkdirSync(dirname(bench.path(name)), { recursive: true });
    symlinkSync(target, bench.path(name));
  }
  for (const [name, mode] of Object.entries(one.mode ?? {})) {
    chmodSync(bench.path(name), Number.parseInt(mode, 8));
  }
  return bench;
}

function differences(one: Case, bench: Workbench): string | null {
  const { tree, links, mode } = one.expect ?? {};
  if (tree !== undefined) {
    const found = readdirSync(bench.cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(bench.cwd.length + 1));
    const contents = Object.fromEntries(found.map((name) => [name, bench.text(name)]));
    assert.deepEqual(contents, tree, one.id);
  }
  for (const [name, target] of Object.entries(links ?? {})) {
    assert.equal(readlinkSync(bench.path(name)), target, one.id);
  }
  for (const [name, wanted] of Object.entries(mode ?? {})) {
    assert.equal((statSync(bench.path(name)).mode & 0o7777).toString(8).padStart(4, "0"), wanted);
  }
  for (const [name, content] of Object.entries(one.outside ?? {})) {
    assert.equal(readFileSync(join(dirname(bench.cwd), name), "utf8"), content, one.id);
  }
  return null;
}

async function failures(
  list: readonly Case[],
  run: (one: Case) => Promise<string | null>,
): Promise<Readonly<Record<string, string>>> {
  const wrong: Record<string, string> = {};
  for (const one of list) {
    const problem = await run(one);
    if (problem !== null) wrong[one.id] = problem;
  }
  return wrong;
}

const isRoot = process.getuid?.() === 0;

describe("edits nobody here wrote", { skip }, () => {
  test("[E01] [E02] [E04] [E23] every single edit of replace.json comes out right", async () => {
    const list = cases("replace.json");
    assert.equal(list.length, 68);
    assert.deepEqual(await failures(list, runReplace), {});
  });

  test("several edits of one file are applied together or not at all, as in multi.json", async () => {
    const list = cases("multi.json");
    assert.equal(list.length, 7);
    assert.deepEqual(await failures(list, runReplace), {});
  });

  test("real edits of real models give the very same files", async () => {
    const list = cases("real-edits.json");
    assert.equal(list.length, 24);
    assert.deepEqual(await failures(list, runReplace), {});
  });

  test("[E13] [E14] files.json: links, modes, folders and missing files", async () => {
    const list = cases("files.json").filter((one) => !(isRoot && one.id === "edit-readonly-file"));
    const wrong = await failures(list, runFiles);
    assert.deepEqual(Object.keys(wrong), Object.keys(unsupported));
  });
});
