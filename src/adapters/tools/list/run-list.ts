import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolEnd } from "#core";
import type { ToolContext } from "#runtime";
import { diskName, isTrouble, showName, shownPath } from "../../workspace/index.ts";
import { mostCharacters } from "../shared/cap-text.ts";
import { countOf, done, failed, sizeOf, stopped } from "../shared/ends.ts";
import { heldSearch } from "../shared/held-search.ts";
import { hiddenNote } from "../shared/skipped.ts";
import { walk, type WalkEntry } from "../shared/walk.ts";

const mostEntries = 1000;
/** Room for the notes. */
const mostShown = mostCharacters - 1000;

export async function runList(
  input: { readonly path: string; readonly depth: number },
  context: ToolContext<null>,
): Promise<ToolEnd> {
  const search = await heldSearch(input.path, context);
  if (isTrouble(search)) return failed(search);
  if (search.file !== null) {
    await search.close();
    const file = shownPath(join(search.folder, search.file), context.cwd);
    return failed({ message: `${file} is a file, not a folder. Use read to see it.` });
  }
  const { signal } = context;
  const options = { folder: search.folder, by: search.by, rules: "kept", signal } as const;
  const { isHidden } = context;
  const lines: string[] = [];
  let characters = 0;
  let more = 0;
  let hidden = 0;
  try {
    await walk({ ...options, isHidden, depth: input.depth }, async (entry): Promise<"more"> => {
      if (entry.skipped === "hidden") {
        hidden += 1;
        return "more";
      }
      if (more > 0 || lines.length === mostEntries) {
        more += 1;
        return "more";
      }
      const line = await lineOf(entry, search.by);
      if (characters + line.length > mostShown) {
        more += 1;
        return "more";
      }
      lines.push(line);
      characters += line.length + 1;
      return "more";
    });
  } finally {
    await search.close();
  }
  if (signal.aborted) return stopped(signal, "Stopped while listing.");
  const shown = shownPath(search.folder, context.cwd);
  if (lines.length === 0 && hidden === 0) return done(`[${shown} is empty]`);
  const notes = [
    ...(more > 0
      ? [
          `${countOf(more, "more entry").replace("entrys", "entries")} not shown: list a folder below, or use glob`,
        ]
      : []),
    ...(hidden > 0 ? [hiddenNote(hidden)] : []),
  ];
  return done([...lines, ...notes.map((note) => `[${note}]`)].join("\n"));
}

async function lineOf({ path, kind, skipped }: WalkEntry, by: string): Promise<string> {
  if (skipped === "denied") return `${path}/ (no permission to look inside)`;
  const why =
    skipped === "ignored" ? " (ignored)" : skipped === "own" ? " (copies of other sessions)" : "";
  if (kind === "folder") return `${path}/${why}`;
  try {
    const name = diskName(join(by, path));
    if (kind === "link") return `${path} -> ${showName(await readlink(name, "buffer"))}${why}`;
    return kind === "file"
      ? `${path} (${sizeOf((await lstat(name)).size)})${why}`
      : `${path} (special file)`;
  } catch {
    // Removed while the folder was read: it was there a moment ago.
    return `${path} (gone)`;
  }
}
