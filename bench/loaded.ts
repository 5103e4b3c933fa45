import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";

/** Words of the built program that only the client of a wire holds. */
export const wireMarks = {
  anthropic: "anthropic-version",
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
  gemini: "streamGenerateContent",
  "text-protocol": "# How to call a tool",
} as const;

/** One run of the built program. */
export interface LoadedRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where it may write the list. */
  readonly listFile: string;
}

/** The code that a run of the built program has loaded, file by file. */
export async function codeLoaded({
  args,
  cwd,
  env,
  listFile,
}: LoadedRun): Promise<readonly string[]> {
  const preload = ["--require", join(ROOT, "bench", "loaded.cjs")];
  const program = join(ROOT, "dist", "bin", "pawl.cjs");
  await runNode({
    args: [...preload, program, ...args],
    cwd,
    env: { ...env, BENCH_LOADED_FILE: listFile },
    usageFile: null,
  });
  const urls = JSON.parse(readFileSync(listFile, "utf8")) as readonly string[]; // written by loaded.cjs
  return urls.map((url) => readFileSync(fileURLToPath(url), "utf8"));
}

/** Wires whose client is in the code. */
export function wiresIn(code: readonly string[]): readonly string[] {
  const isIn = (mark: string): boolean => code.some((file) => file.includes(mark));
  return Object.entries(wireMarks).flatMap(([wire, mark]) => (isIn(mark) ? [wire] : []));
}
