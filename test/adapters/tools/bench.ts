import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  callId,
  hash,
  requestId,
  type CallId,
  type Hash,
  type Image,
  type Json,
  type JsonObject,
  type Text,
  type ToolEnd,
} from "#core";
import type { AnyTool, Need, Probe, Tool, ToolEnv } from "#runtime";
import { fakeClock } from "#testing";

export const sha256 = (bytes: Uint8Array | string): Hash =>
  hash(createHash("sha256").update(bytes).digest("hex"));

/** A workspace in a temporary folder, and everything a tool needs to run in it. */
export interface Workbench {
  readonly cwd: string;
  readonly env: ToolEnv;
  readonly blobs: ReadonlyMap<Hash, Uint8Array>;
  /** What the calls so far have left, as the state of a session holds it. */
  readonly docs: Map<string, Json>;
  /** What permission keeps back, by real path; none when left out. */
  readonly isHidden?: (path: string) => boolean;
  path(name: string): string;
  file(name: string, content: string | Uint8Array, mode?: number): string;
  link(name: string, target: string): void;
  bytes(name: string): Buffer;
  text(name: string): string;
}

/** A workspace in a folder, given by its real path. Whoever made the folder removes it. */
export function benchIn(root: string, files: Readonly<Record<string, string>> = {}): Workbench {
  const cwd = join(root, "workspace");
  mkdirSync(cwd, { recursive: true });
  const blobs = new Map<Hash, Uint8Array>();
  const docs = new Map<string, Json>();
  const path = (name: string): string => join(cwd, name);
  const bench: Workbench = {
    cwd,
    blobs,
    docs,
    path,
    env: {
      cwd,
      roots: [cwd],
      runsDir: join(root, "runs"),
      clock: fakeClock(),
      async putBlob(bytes) {
        const id = sha256(bytes);
        blobs.set(id, bytes);
        return id;
      },
      async getBlob(id) {
        const blob = blobs.get(id);
        assert.ok(blob);
        return blob;
      },
      doc: (name) => docs.get(name),
    },
    file(name, content, mode) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      if (mode !== undefined) chmodSync(path(name), mode);
      return path(name);
    },
    link: (name, target) => symlinkSync(target, path(name)),
    bytes: (name) => readFileSync(path(name)),
    text: (name) => readFileSync(path(name), "utf8"),
  };
  for (const [name, content] of Object.entries(files)) bench.file(name, content);
  return bench;
}

const calls = new Map<string, number>();

/** Each workspace counts its own calls, from 0. */
function nextCall({ runsDir }: ToolEnv): CallId {
  const index = calls.get(runsDir) ?? 0;
  calls.set(runsDir, index + 1);
  return callId(requestId(1), index);
}

type Bench = Pick<Workbench, "env"> & Partial<Pick<Workbench, "docs" | "isHidden">>;

export interface Started {
  readonly need: Need;
  readonly intent: Json;
  run(options?: RunOptions): Promise<ToolEnd>;
  probe(): Promise<Probe>;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly progress?: (text: string) => void;
}

/** A tool with its types opened, as the runtime holds it. */
export const open = (tool: AnyTool): Tool<unknown> => tool as unknown as Tool<unknown>;

/** Parses, judges and plans a call, as the runtime does before it runs one; a string says what is wrong. */
export async function start(
  tool: AnyTool,
  input: JsonObject,
  { env, docs, isHidden = () => false }: Bench,
): Promise<Started | string> {
  const opened = open(tool);
  const parsed = opened.parse(input);
  if (typeof parsed === "string") return parsed;
  const call = nextCall(env);
  const need = opened.need(parsed, env);
  const intent = (await opened.plan?.(parsed, { ...env, call, attempt: 1 })) ?? null;
  return {
    need,
    // What is journaled comes back as JSON.
    intent: JSON.parse(JSON.stringify(intent)),
    run: async ({ signal, timeoutMs, progress } = {}) => {
      const end = await opened.run(parsed, {
        ...env,
        call,
        attempt: 1,
        intent,
        judged: need,
        isHidden,
        signal: signal ?? new AbortController().signal,
        timeoutMs: timeoutMs ?? opened.timeoutMs(parsed),
        progress: progress ?? (() => {}),
      });
      for (const [name, doc] of Object.entries(end.docs ?? {})) docs?.set(name, doc);
      return end;
    },
    probe: async () => {
      const probed = await opened.probe?.(JSON.parse(JSON.stringify(intent)), { ...env, call });
      assert.ok(probed);
      return probed;
    },
  };
}

/** Runs a call from its arguments to its end. */
export async function use(tool: AnyTool, input: JsonObject, bench: Bench): Promise<ToolEnd> {
  const started = await start(tool, input, bench);
  if (typeof started === "string") {
    return { outcome: "error", content: [{ type: "text", text: started }], effects: [] };
  }
  return await started.run();
}

/** What the model reads. */
export const said = ({ content }: { readonly content: readonly (Text | Image)[] }): string =>
  content
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("\n");
