import { diffLines } from "../../workspace/index.ts";

/** Lines and characters of a diff that are shown; the rest is counted. */
const mostLines = 60;
const mostCharacters = 6_000;
const mostOfLine = 300;

/** What differs between two texts: `@@ line N` of the old text, `-` and `+` lines. */
export function showDiff(old: string, now: string): string {
  const [oldLines, newLines] = [old.split("\n"), now.split("\n")];
  const all: string[] = [];
  for (const hunk of diffLines(oldLines, newLines)) {
    all.push(`@@ line ${hunk.from + 1}`);
    for (const line of oldLines.slice(hunk.from, hunk.to)) all.push(`-${line}`);
    for (const line of newLines.slice(hunk.newFrom, hunk.newTo)) all.push(`+${line}`);
  }
  const shown: string[] = [];
  let characters = 0;
  for (const line of all.slice(0, mostLines)) {
    const cut = line.length > mostOfLine ? `${line.slice(0, mostOfLine).toWellFormed()}…` : line;
    characters += cut.length + 1;
    if (characters > mostCharacters) break;
    shown.push(cut);
  }
  const left = all.length - shown.length;
  if (left > 0) shown.push(`[… ${left} more lines of differences]`);
  return shown.join("\n");
}
