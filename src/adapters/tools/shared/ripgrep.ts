import { spawn } from "node:child_process";
import { errnoOf, showName } from "../../workspace/index.ts";

/** Programs to try in this order; null = the packaged one, then the system's. */
export type RipgrepPrograms = readonly string[] | null;

export interface RipgrepRun {
  readonly programs: RipgrepPrograms;
  /** Everything after the options every run has. */
  readonly options: readonly string[];
  /** Folder to run in. */
  readonly by: string;
  /** Byte that ends a record of the output. */
  readonly separator: number;
  readonly signal: AbortSignal;
  /** Gets each record, bytes as Latin-1 characters, so that every name survives. `enough` ends the run. */
  onRecord(record: string): "more" | "enough";
}

export interface RipgrepEnd {
  /** Stopped because of `enough` or the signal. */
  readonly isCut: boolean;
  /** 0 found, 1 nothing found, 2 trouble; null when it was stopped. */
  readonly exitCode: number | null;
  /** What it complained about, bounded. */
  readonly complaints: string;
}

/** The same everywhere: no settings of the user, dotfiles like others, nothing of `.git` or ours. */
const always = [
  "--no-config",
  "--no-ignore-global",
  "--color=never",
  "--hidden",
  "--glob=!.git",
  "--glob=!**/.pawl/worktrees",
  "--glob=!.pawl-tmp-*",
];

/** Bytes. A longer record is cut there. */
const longestRecord = 64 << 10;
const mostComplaints = 20_000;

/** Runs ripgrep; null when there is none on this machine (any more), then the built-in search does the work. */
export async function ripgrep(run: RipgrepRun): Promise<RipgrepEnd | null> {
  for (const program of run.programs ?? (await usualPrograms())) {
    const end = await runProgram(program, run);
    if (end !== null) return end;
  }
  return null;
}

async function usualPrograms(): Promise<readonly string[]> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return [rgPath, "rg"];
  } catch {
    // The package for this platform is not installed.
    return ["rg"];
  }
}

function runProgram(program: string, run: RipgrepRun): Promise<RipgrepEnd | null> {
  return new Promise((resolve) => {
    const child = spawn(program, [...always, ...run.options], {
      cwd: run.by,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let isCut = false;
    let complaints = "";
    const stop = (): void => {
      isCut = true;
      child.kill("SIGKILL");
    };
    const read = recordReader(run, stop);
    run.signal.addEventListener("abort", stop, { once: true });
    if (run.signal.aborted) stop();
    child.stdout.on("data", (chunk: Buffer) => {
      if (!isCut) read(chunk);
    });
    child.stdout.on("end", () => {
      if (!isCut) read(null);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaints.length < mostComplaints) complaints += chunk.toString("utf8");
    });
    const finish = (end: RipgrepEnd | null): void => {
      run.signal.removeEventListener("abort", stop);
      resolve(end);
    };
    child.on("error", (error) => {
      const isMissing = ["ENOENT", "EACCES", "ENOTDIR"].includes(errnoOf(error) ?? "");
      finish(isMissing ? null : { isCut, exitCode: 2, complaints: error.message });
    });
    child.on("close", (exitCode) =>
      finish({ isCut, exitCode: isCut ? null : exitCode, complaints }),
    );
  });
}

/** Cuts the output into records; null is its end. */
function recordReader(run: RipgrepRun, stop: () => void): (chunk: Buffer | null) => void {
  const separator = String.fromCharCode(run.separator);
  let open = "";
  const give = (record: string): boolean => {
    if (run.onRecord(record) === "more") return true;
    stop();
    return false;
  };
  return (chunk) => {
    if (chunk === null) {
      if (open !== "") give(open);
      return;
    }
    const text = chunk.toString("latin1");
    let from = 0;
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
      const record = open + text.slice(from, at);
      open = "";
      from = at + 1;
      if (!give(record)) return;
    }
    open += text.slice(from, from + Math.max(0, longestRecord - open.length));
  };
}

/** The path in a record, relative to the folder that was searched, as it is shown. */
export function pathOf(record: string): string {
  const path = record.startsWith("./") ? record.slice(2) : record;
  return isPlain.test(path) ? path : showName(Buffer.from(path, "latin1"));
}

/** The text in a record; what is no UTF-8 becomes U+FFFD. */
export const textOf = (record: string): string =>
  isPlain.test(record) ? record : Buffer.from(record, "latin1").toString("utf8");

const isPlain = /^[ -~]*$/;
