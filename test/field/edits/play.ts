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
import { isDeepStrictEqual } from "node:util";
import { builtInTools } from "#adapters/tools";
import { decide, type JsonObject, type ToolEnd } from "#core";
import { said, start, type Workbench } from "../../adapters/tools/bench.ts";
import { endsOfNobody, giveToNobody } from "../../adapters/tools/nobody.ts";
import type { Case } from "./cases.ts";

/** Makes an empty workspace. */
export type MakeBench = () => Workbench;

export interface Played {
  /** `applied`, or the name of the error. */
  readonly outcome: string;
  /** Null when it came out right. */
  readonly wrong: string | null;
}

/** The fixtures' error names by what our texts say. */
const names: readonly (readonly [name: string, says: RegExp])[] = [
  ["overlap", /change the same text/],
  ["multiple_matches", /old_text is at \d+ places|fit at \d+ places/],
  ["not_found", /old_text is not in/],
  ["no_change", /are the same/],
  ["no_edits", /`edits` is empty/],
  ["empty_old_text", /old_text is empty/],
  ["omission_placeholder", /stands for text left out/],
  ["changed_since_read", /changed since (?:it was read|you read it)/],
  ["not_read_yet", /was not read in this session/],
  ["empty_patch", /the patch is empty/],
  ["empty_hunk", /has no hunk/],
  ["bad_patch", /must begin with the line/],
  ["context_not_found", /lines of context and those to remove are not there|to find the hunk by/],
  ["file_exists", /exists already/],
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

/** Plays a case in a workspace of its own. */
export async function playCase(one: Case, makeBench: MakeBench): Promise<Played> {
  return one.patch === undefined && one.call === undefined && one.steps === undefined
    ? await playReplace(one, makeBench())
    : await playFiles(one, makeBench());
}

/** The error of the end, null when there was none. */
const errorOf = (end: ToolEnd | string): string | null => {
  if (typeof end === "string") return nameOf(end);
  return end.outcome === "ok" ? null : nameOf(said(end));
};

async function playReplace(one: Case, bench: Workbench): Promise<Played> {
  const name = "f.txt";
  const before = bytesOf(one.before, one.beforeBase64);
  bench.file(name, before);
  const what = one.edits === undefined ? one.edit : { edits: one.edits };
  const end = await call("edit", { path: name, ...what }, bench);
  const error = errorOf(end);
  const after = bench.bytes(name);
  if (error === null) {
    const wanted = bytesOf(one.expect?.after ?? one.after, one.expect?.afterBase64);
    const isWanted = one.expect?.ok !== false && after.equals(wanted);
    return played(one, error, isWanted ? null : `became ${JSON.stringify(after.toString("utf8"))}`);
  }
  const failed = one.expect?.failedEdit;
  const isNamed = failed === undefined || textOf(end).startsWith(`Edit ${failed + 1} of `);
  if (!after.equals(before)) return played(one, error, "the file changed");
  return played(one, error, isNamed ? null : `the wrong edit is named: ${textOf(end)}`);
}

const textOf = (end: ToolEnd | string): string => (typeof end === "string" ? end : said(end));

const bytesOf = (text: string | null | undefined, base64: string | undefined): Buffer =>
  base64 === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(base64, "base64");

function played(one: Case, error: string | null, wrong: string | null): Played {
  const outcome = error ?? "applied";
  const wanted = one.expect?.ok === false ? one.expect.error : "applied";
  const isAccepted = outcome === wanted || outcome === one.alsoAccept;
  return { outcome, wrong: wrong ?? (isAccepted ? null : `wanted ${wanted}, got ${outcome}`) };
}

async function playFiles(one: Case, bench: Workbench): Promise<Played> {
  layOut(one, bench);
  let end: ToolEnd | string = "no step";
  for (const step of stepsOf(one)) {
    if (step["outside"] === "write") {
      bench.file(step["path"] ?? "", step["content"] ?? "");
      continue;
    }
    const { tool = "", ...input } = step;
    end = one.mode === undefined ? await call(tool, input, bench) : byNobody(tool, input, bench);
  }
  const error = errorOf(end);
  return played(one, error, differences(one, bench));
}

function stepsOf(one: Case): readonly Readonly<Record<string, string>>[] {
  if (one.patch !== undefined) return [{ tool: "edit", patch: one.patch }];
  return one.steps ?? [one.call ?? {}];
}

const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));

/** Runs a call as a session would that answers no questions: what lies outside is denied. */
async function call(name: string, input: JsonObject, bench: Workbench): Promise<ToolEnd | string> {
  const tool = tools.get(name);
  if (tool === undefined) return `no tool ${name}`;
  const started = await start(tool, input, bench);
  if (typeof started === "string") return started;
  const policy = { mode: "edit", rules: [], roots: bench.env.roots, questions: "deny" } as const;
  const decision = decide(policy, { tool: name, input, ...started.need }, []);
  return decision.verdict === "allow" ? await started.run() : decision.reason;
}

/** Root may write what is read-only. */
function byNobody(name: string, input: JsonObject, bench: Workbench): ToolEnd | string {
  for (const entry of readdirSync(bench.cwd)) giveToNobody(bench.path(entry));
  return endsOfNobody([[name, input]], bench)[0] ?? "no end";
}

function layOut(one: Case, bench: Workbench): void {
  for (const [name, content] of Object.entries(one.tree ?? {})) bench.file(name, content);
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
}

function differences(one: Case, bench: Workbench): string | null {
  const { tree = one.tree ?? {}, links, mode } = one.expect ?? {};
  const found = readdirSync(bench.cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(bench.cwd.length + 1))
    .filter((name) => one.treeBase64?.[name] === undefined);
  const contents = Object.fromEntries(found.map((name) => [name, bench.text(name)]));
  const wrong: string[] = [];
  if (!isDeepStrictEqual(contents, tree)) wrong.push(`the tree is ${JSON.stringify(contents)}`);
  for (const [name, content] of Object.entries(one.treeBase64 ?? {})) {
    if (bench.bytes(name).toString("base64") !== content) wrong.push(`${name} changed`);
  }
  for (const [name, target] of Object.entries(links ?? {})) {
    if (readlinkSync(bench.path(name)) !== target) wrong.push(`${name} leads elsewhere`);
  }
  for (const [name, wanted] of Object.entries(mode ?? {})) {
    const now = (statSync(bench.path(name)).mode & 0o7777).toString(8).padStart(4, "0");
    if (now !== wanted) wrong.push(`${name} has the mode ${now}`);
  }
  for (const [name, content] of Object.entries(one.outside ?? {})) {
    const now = readFileSync(join(dirname(bench.cwd), name), "utf8");
    if (now !== content) wrong.push(`${name} outside changed`);
  }
  return wrong.length === 0 ? null : wrong.join("; ");
}
