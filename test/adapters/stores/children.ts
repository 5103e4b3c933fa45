/** Runs `writer-child.ts` in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { SessionId } from "#core";

/** The children's code is compiled once: it is started dozens of times. */
const cache = mkdtempSync(join(tmpdir(), "pawl-cache-"));
after(() => rmSync(cache, { recursive: true }));

const script = join(import.meta.dirname, "writer-child.ts");

export interface Task {
  readonly home: string;
  readonly id: SessionId;
  readonly what: "append" | "append_and_hold" | "append_blobs" | "fork" | "hold" | "large";
  readonly count?: number;
  /** `name#n`. */
  readonly crashAt?: string;
  readonly crashLog?: string;
  /** Largest file it may write, in blocks of 1024 bytes. */
  readonly mostKiB?: number;
}

export function startChild(task: Task): ChildProcess {
  const { home, id, what, count = 0, crashAt = "", crashLog = "", mostKiB } = task;
  const args = [script, home, id, what, String(count)];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: cache,
    PAWL_CRASH_AT: crashAt,
    PAWL_CRASH_LOG: crashLog,
  };
  if (mostKiB === undefined) return spawn(process.execPath, args, { env });
  const limited = `ulimit -f ${mostKiB}; exec "$@"`;
  return spawn("bash", ["-c", limited, "bash", process.execPath, ...args], { env });
}

export interface Ended {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  await once(child, "close");
  const lines = output().split("\n").slice(0, -1);
  return { lines, errors: errors(), signal: child.signalCode, code: child.exitCode };
}

export const runChild = (task: Task): Promise<Ended> => ended(startChild(task));

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  return () => text;
}
