import { stat } from "node:fs/promises";
import type { ToolEnd } from "#core";
import type { AnyTool, ToolContext } from "#runtime";
import {
  absolutePath,
  isTrouble,
  kindTrouble,
  openRegular,
  shownPath,
  troubleOf,
  type Trouble,
} from "../../workspace/index.ts";
import { defineTool } from "../define-tool.ts";
import { integerField, optional, pathField, type InputOf } from "../fields.ts";
import { done, failed, stopped } from "../shared/ends.ts";
import { judgedPath, resourceOf } from "../shared/judged.ts";
import { notThere } from "../shared/not-there.ts";
import { seenBy } from "../shared/seen.ts";
import { readHead, type BegunFile } from "./head.ts";
import { readImageBlock } from "./image.ts";
import { text as description } from "./read.generated.ts";
import { readText, type Wanted } from "./read-text.ts";
import { notebookText } from "./notebook.ts";

const fields = {
  path: pathField("File to read, absolute or relative to the workspace."),
  offset: optional(integerField("First line to show, from 1.", { least: 0, most: 1e12 })),
  limit: optional(integerField("Most lines to show (2000).", { least: 1, most: 1e6 })),
};

/** `read`: shows a file with line numbers. */
export function readTool(): AnyTool {
  return defineTool({
    name: "read",
    description,
    fields,
    recovery: "rerun",
    need: (input, env) => ({ access: "read", resources: [resourceOf(input.path, env.cwd)] }),
    run,
  });
}

const mostLines = 2000;

async function run(input: InputOf<typeof fields>, context: ToolContext<null>): Promise<ToolEnd> {
  const { cwd, signal } = context;
  const path = judgedPath(input.path, context);
  if (isTrouble(path)) return failed(path);
  const file = await openRegular(path);
  if (isTrouble(file)) {
    if (file.code !== "file_not_found") return failed(file);
    const special = await specialFile(input.path, cwd);
    return failed(special ?? notThere(path, cwd, "Use glob or list to find the right path."));
  }
  try {
    const shown = shownPath(path, cwd);
    const head = await readHead(file);
    const seen = seenBy(path, { ...file, head }, context);
    const [end, docs] = await Promise.all([
      show(input, { ...file, head }, { shown, signal }),
      seen,
    ]);
    return end.outcome === "ok" ? { ...end, docs } : end;
  } catch (error) {
    return failed(troubleOf(error, input.path));
  } finally {
    await file.handle.close();
  }
}

async function show(
  input: InputOf<typeof fields>,
  file: BegunFile,
  how: { readonly shown: string; readonly signal: AbortSignal },
): Promise<ToolEnd> {
  const { shown, signal } = how;
  const image = await readImageBlock(file, file.head, shown);
  if (image !== null) return image;
  const wanted = { offset: Math.max(input.offset ?? 1, 1), limit: input.limit ?? mostLines };
  const notebook = await notebookText(file, shown);
  const said =
    notebook === null
      ? await readText(file, { ...wanted, shown, signal })
      : await readNotebook(notebook, file, { ...wanted, shown, signal });
  if (signal.aborted) return stopped(signal, "Stopped while reading; nothing was changed.");
  return isTrouble(said) ? failed(said) : done(said);
}

/** Its cells as if they were a text file: offset and limit count the lines that are shown. */
async function readNotebook(
  text: string,
  file: BegunFile,
  wanted: Wanted,
): Promise<string | Trouble> {
  if (text === "") return "[the notebook has no cells]";
  const head = { bytes: Buffer.from(`${text}\n`, "utf8"), isWhole: true };
  const said = await readText({ ...file, head }, wanted);
  if (isTrouble(said)) return said;
  return `${said}\n[a notebook, shown as its cells; edit takes old_text from the text of a cell]`;
}

/** Something like `/dev/stdin` leads through links to what has no path of its own. */
async function specialFile(written: string, cwd: string): Promise<Trouble | null> {
  try {
    return kindTrouble(await stat(absolutePath(written, cwd)), written);
  } catch {
    // Nothing there: the caller says so.
    return null;
  }
}
