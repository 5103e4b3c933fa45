import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";

export type TextFile =
  | { readonly at: "missing" }
  /** `cut`: the file is longer; `text` is its beginning. */
  | { readonly at: "read"; readonly text: string; readonly path: string; readonly cut: boolean }
  | { readonly at: "unusable"; readonly why: "not_a_file" | "not_utf8" | "not_readable" };

/**
 * Reads a settings or instruction file: regular files only (a FIFO never blocks), strict UTF-8, a byte
 * order mark taken off. `path` of the answer is the real path, so that links are recognised.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  try {
    const real = await realpath(path);
    await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return { at: "unusable", why: "not_a_file" };
    const buffer = Buffer.alloc(maxBytes + 1);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, bytes, buffer.length - bytes, bytes);
      bytes += bytesRead;
      if (bytesRead === 0 || bytes === buffer.length) break;
    }
    const cut = bytes > maxBytes;
    // A cut may fall inside a character: `stream` then waits for the rest instead of failing.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      buffer.subarray(0, Math.min(bytes, maxBytes)),
      { stream: cut },
    );
    return { at: "read", text, path: real, cut };
  } catch (error) {
    return trouble(error);
  }
}

function trouble(error: unknown): TextFile {
  if (error instanceof TypeError) return { at: "unusable", why: "not_utf8" };
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return { at: "missing" };
  if (code === "EISDIR") return { at: "unusable", why: "not_a_file" };
  return { at: "unusable", why: "not_readable" };
}
