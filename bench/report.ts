import { ratioOf, type Line } from "./line.ts";

/** What `--json` writes and `--compare` reads. */
export interface Report {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  /** Programs that wanted a core in the minute before; much above 0.5 the figures say little. */
  readonly load: number;
  readonly lines: readonly Line[];
}

/** A Markdown table of all lines. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.title,
    line.floor === null ? "" : shown(line.floor, line.unit),
    shown(line.pawl, line.unit),
    ratio(line),
    goal(line),
  ]);
  return aligned([["", "floor", "Pawl", "ratio", "goal"], ...rows]);
}

/** Lines that changed against an earlier report, both ways; lines that only one of them has are left out. */
export function comparison(now: Report, before: Report): string {
  const rows = now.lines.flatMap((line) => {
    const old = before.lines.find((one) => one.id === line.id);
    if (old === undefined) return [];
    const figures = [shown(old.pawl, old.unit), shown(line.pawl, line.unit)];
    return [[line.title, ...figures, change(old.pawl, line.pawl), ratio(old), ratio(line)]];
  });
  return aligned([["", "before", "now", "change", "ratio before", "ratio now"], ...rows]);
}

/** A line misses its goal, times `slack`. */
export function misses(line: Line, slack = 1): boolean {
  if (line.goal === null) return false;
  const figure = line.goal.of === "ratio" ? ratioOf(line) : line.pawl;
  return figure === null || !(figure <= line.goal.atMost * slack);
}

function shown(figure: number, unit: Line["unit"]): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2;
  if (unit === "times") return `${figure.toFixed(2)} ×`;
  if (unit === "packages" || unit === "wires") return `${figure}`;
  if (unit === "bytes") return `${Math.round(figure)} bytes`;
  return `${figure.toFixed(digits)} ${unit}`;
}

function ratio(line: Line): string {
  const found = ratioOf(line);
  return found === null ? "" : `${found.toFixed(2)} ×`;
}

function goal(line: Line): string {
  if (line.goal === null) return "";
  const { atMost, of } = line.goal;
  const bound = of === "ratio" ? `≤ ${atMost} ×` : `≤ ${shown(atMost, line.unit)}`;
  return misses(line) ? `${bound} (missed)` : bound;
}

const change = (before: number, now: number): string => {
  const percent = Math.round((now / before - 1) * 100);
  return `${percent > 0 ? "+" : ""}${percent} %`;
};

function aligned(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.slice(1).map(line)].join("\n");
}

const pad = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);
