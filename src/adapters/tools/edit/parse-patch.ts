// Patches in the form of `apply_patch` (V4A), as models of OpenAI write them: OpenAI cookbook, GPT-4.1 prompting guide,
// 2025.

export type PatchStep =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo: string | null;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  /** Lines that stand above the place, outermost first. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** Its last line is the last one of the file. */
  readonly atEnd: boolean;
}

interface HunkLine {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
}

const begin = "*** Begin Patch";
const end = "*** End Patch";
const header = /^\*\*\* (Add|Update|Delete) File: (\S.*)$/;
const move = /^\*\*\* Move to: (\S.*)$/;
/** What is left of a shell command around a patch. */
const wrapping = /^(?:apply_patch\b.*|```\w*|)$/;
const wrappingEnd = /^(?:[A-Z_]+|```|\)|'|"|)$/;

/** A string says what is wrong and what is right. */
export function parsePatch(patch: string): readonly PatchStep[] | string {
  const all = patch.replaceAll("\r\n", "\n").split("\n");
  const first = all.findIndex((line) => line.trim() === begin);
  const last = all.findLastIndex((line) => line.trim() === end);
  const isWrapped =
    all.slice(0, Math.max(first, 0)).every((line) => wrapping.test(line.trim())) &&
    all.slice(last + 1).every((line) => wrappingEnd.test(line.trim()));
  if (first < 0 || last < first || !isWrapped) {
    return `the patch must begin with the line \`${begin}\` and end with the line \`${end}\``;
  }
  // Whoever indents the first marker indents the others too; else such a line is a line of context.
  const isPadded = all[first]?.startsWith(" ") === true;
  const lines = all
    .slice(first + 1, last)
    .map((line) => (isMarker(line, isPadded) ? { marker: line.trim() } : { line }));
  return steps(lines);
}

type Line = { readonly marker: string } | { readonly line: string };

const isMarker = (line: string, isPadded: boolean): boolean =>
  (isPadded ? line.trim() : line).startsWith("*** ");

function steps(lines: readonly Line[]): readonly PatchStep[] | string {
  const found: PatchStep[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    if ("line" in line && line.line.trim() === "") {
      at += 1;
      continue;
    }
    const [, kind = "", path = ""] = ("marker" in line && header.exec(line.marker)) || [];
    if (kind === "") {
      return `the patch has \`${shortened(line)}\` where \`*** Add File: PATH\`, \`*** Update File: PATH\` or \`*** Delete File: PATH\` must stand`;
    }
    const next = lines.findIndex((one, index) => index > at && isHeader(one));
    const body = lines.slice(at + 1, next < 0 ? lines.length : next);
    const step = stepOf(kind, path, body);
    if (typeof step === "string") return step;
    found.push(step);
    at += body.length + 1;
  }
  return found.length === 0 ? "the patch is empty; there is nothing to do" : found;
}

const isHeader = (line: Line): boolean => "marker" in line && header.test(line.marker);

const shortened = (line: Line): string =>
  ("marker" in line ? line.marker : line.line).slice(0, 80).toWellFormed();

function stepOf(kind: string, path: string, body: readonly Line[]): PatchStep | string {
  if (kind === "Add") return added(path, body);
  if (kind === "Update") return updated(path, body);
  const extra = body.find((line) => "marker" in line || line.line.trim() !== "");
  if (extra === undefined) return { type: "delete", path };
  return `nothing may follow \`*** Delete File: ${path}\`, but \`${shortened(extra)}\` does`;
}

function added(path: string, body: readonly Line[]): PatchStep | string {
  const lines = withoutBlankEnd(body);
  const wrong = lines.find((line) => "marker" in line || !line.line.startsWith("+"));
  if (wrong !== undefined) {
    return `every line of the new file ${path} must begin with +, but \`${shortened(wrong)}\` does not`;
  }
  const texts = lines.map((line) => ("line" in line ? line.line.slice(1) : ""));
  return { type: "add", path, content: texts.map((text) => `${text}\n`).join("") };
}

/** Empty lines before the next marker part the sections. */
const withoutBlankEnd = (body: readonly Line[]): readonly Line[] =>
  body.slice(0, body.findLastIndex((line) => "marker" in line || line.line !== "") + 1);

function updated(path: string, body: readonly Line[]): PatchStep | string {
  const [first] = body;
  const [, moveTo = null] =
    (first !== undefined && "marker" in first && move.exec(first.marker)) || [];
  const hunks: { anchors: string[]; lines: HunkLine[]; atEnd: boolean }[] = [];
  for (const line of withoutBlankEnd(moveTo === null ? body : body.slice(1))) {
    const hunk = hunks.at(-1);
    if ("marker" in line) {
      if (line.marker !== "*** End of File" || hunk === undefined) {
        return `the update of ${path} has the unknown line \`${shortened(line)}\``;
      }
      hunk.atEnd = true;
    } else if (line.line.startsWith("@@")) {
      const anchors = anchorOf(line.line);
      if (hunk !== undefined && hunk.lines.length === 0) hunk.anchors.push(...anchors);
      else hunks.push({ anchors, lines: [], atEnd: false });
    } else {
      const read = hunkLine(line.line);
      if (read === null) {
        return `a line of the update of ${path} begins neither with a space nor with + or -: \`${shortened(line)}\``;
      }
      if (hunk === undefined || hunk.atEnd)
        hunks.push({ anchors: [], lines: [read], atEnd: false });
      else hunk.lines.push(read);
    }
  }
  if (hunks.length === 0 && moveTo === null) return `the update of ${path} has no hunk`;
  const isIdle = ({ lines }: Hunk): boolean => lines.every(({ type }) => type === "same");
  if (hunks.some(isIdle)) return `a hunk of the update of ${path} changes nothing`;
  return { type: "update", path, moveTo, hunks };
}

/** `@@`, `@@ class A:`, also `@@ -1,3 +1,4 @@`, whose numbers say nothing that can be relied on. */
function anchorOf(line: string): string[] {
  const text = line
    .slice(2)
    .replace(/^ ?-\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*$/, "")
    .replace(/ @@$/, "")
    .replace(/^ /, "")
    .trimEnd();
  return text === "" ? [] : [text];
}

function hunkLine(line: string): HunkLine | null {
  // Models leave out the blank of an empty line of context.
  if (line === "") return { type: "same", text: "" };
  const type = ({ " ": "same", "+": "added", "-": "removed" } as const)[line[0] ?? ""];
  return type === undefined ? null : { type, text: line.slice(1) };
}
