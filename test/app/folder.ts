import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder with these files. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "pawl-app-")));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

const fifoMaker = "mkfifo";

/** A named pipe: whoever reads it without care waits for ever. */
export const makeFifo = (path: string): void => void execFileSync(fifoMaker, [path]);
