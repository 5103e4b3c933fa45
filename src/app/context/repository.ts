import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** What the files of a git work tree say, read without starting git. */
export interface Repository {
  /** Top folder of the work tree. */
  readonly root: string;
  /** Its own git folder. */
  readonly gitFolder: string;
  /** The git folder that linked work trees share; else the same. */
  readonly commonFolder: string;
  /** null = detached. */
  readonly branch: string | null;
  /** Commit id; null before the first commit. */
  readonly head: string | null;
}

/** Looks for `.git` from `cwd` upwards; null when there is none or it cannot be read. */
export async function findRepository(cwd: string): Promise<Repository | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const gitFolder = await gitFolderIn(folder);
    if (gitFolder !== null) return readRepository(folder, gitFolder);
    if (dirname(folder) === folder) return null;
  }
}

async function gitFolderIn(folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return path;
  if (!found?.isFile() || found.size > 4_096) return null;
  // A linked work tree or submodule: the file names the folder (gitrepository-layout).
  const link = /^gitdir: (.+)$/m.exec(await readText(path))?.[1];
  return link === undefined ? null : resolve(folder, link.trim());
}

async function readRepository(root: string, gitFolder: string): Promise<Repository | null> {
  const head = (await readText(join(gitFolder, "HEAD"))).trim();
  if (head === "") return null;
  const common = (await readText(join(gitFolder, "commondir"))).trim();
  const commonFolder = common === "" ? gitFolder : resolve(gitFolder, common);
  const reference = /^ref: (\S+)$/.exec(head)?.[1] ?? null;
  return {
    root,
    gitFolder,
    commonFolder,
    branch: reference?.replace(/^refs\/heads\//, "") ?? null,
    head: reference === null ? commitIn(head) : await resolveReference(commonFolder, reference),
  };
}

async function resolveReference(commonFolder: string, reference: string): Promise<string | null> {
  if (!reference.startsWith("refs/") || reference.includes("..")) return null;
  const loose = commitIn((await readText(join(commonFolder, reference))).trim());
  if (loose !== null) return loose;
  const packed = await readText(join(commonFolder, "packed-refs"));
  const line = packed.split("\n").find((one) => one.endsWith(` ${reference}`));
  return commitIn(line?.split(" ")[0] ?? "");
}

const commitIn = (text: string): string | null => (/^[0-9a-f]{40,64}$/.test(text) ? text : null);

/** Bytes; packed references of a large repository stay below. */
const maxBytes = 64_000_000;

async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  // A FIFO in place of the file would block for ever.
  return found?.isFile() && found.size <= maxBytes
    ? await readFile(path, "utf8").catch(() => "")
    : "";
}
