import { fstatSync } from "node:fs";

/** What is behind stdin: decides whether and how long it is waited for. */
export type InputKind = "none" | "file" | "pipe" | "socket";

export function kindOfStdin(fileDescriptor = 0): InputKind {
  try {
    const found = fstatSync(fileDescriptor);
    if (found.isFile()) return "file";
    if (found.isFIFO()) return "pipe";
    return found.isSocket() ? "socket" : "none";
  } catch {
    // Closed: the same as empty.
    return "none";
  }
}

/**
 * How long the first byte is waited for when the prompt could do without stdin, in ms. A shell's pipe always has
 * somebody who writes. A socket is what a parent program makes for every child, mostly without a word; one that
 * has something to say has written it before this process was up. After these the run starts without stdin and
 * says so (docs/headless.md).
 */
const patienceMs: Readonly<Record<InputKind, number>> = {
  none: 0,
  file: Infinity,
  pipe: 3_000,
  socket: 300,
};

/** Bytes; more belongs in a file that the model reads in parts. */
const maxBytes = 4_000_000;

export type PipedInput =
  | { readonly at: "none" }
  | { readonly at: "silent" }
  | { readonly at: "read"; readonly text: string; readonly damaged: boolean }
  | { readonly at: "too_long"; readonly bytes: number; readonly most: number };

/**
 * Reads stdin to its end.
 * @param wait `to_the_end` when there is nothing else to work with
 */
export async function readPipedInput(
  stdin: NodeJS.ReadableStream & { destroy(): unknown },
  kind: InputKind,
  wait: "patiently" | "to_the_end",
): Promise<PipedInput> {
  if (kind === "none") return { at: "none" };
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<"end" | "silent" | "too_long">();
  let bytes = 0;
  const longestMs = wait === "to_the_end" ? Infinity : patienceMs[kind];
  const timer = Number.isFinite(longestMs)
    ? setTimeout(() => resolve("silent"), longestMs)
    : undefined;
  stdin.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) resolve("too_long");
  });
  stdin.on("end", () => resolve("end"));
  // A terminal that went away, a closed descriptor: nothing more will come.
  stdin.on("error", () => resolve("end"));
  const how = await promise;
  clearTimeout(timer);
  if (how !== "end") stdin.destroy();
  if (how === "silent") return { at: "silent" };
  if (how === "too_long") return { at: "too_long", bytes, most: maxBytes };
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return { at: "read", text, damaged: text.includes("\uFFFD") };
}
