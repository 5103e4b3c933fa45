import type { CrashReport } from "./kill-and-resume.ts";

const columns = ["same", "partial", "undetermined", "wrong"] as const;

export interface Row {
  readonly name: string;
  /** Rows of one kind share a line. */
  readonly kind: string;
  readonly report: CrashReport;
}

/** One line a kind, a count for each outcome, and what a case took. */
export function crashTable(title: string, rows: readonly Row[]): string {
  const kinds = [...new Set(rows.map((row) => row.kind))].toSorted();
  const width = Math.max(title.length, ...kinds.map((kind) => kind.length), 5) + 2;
  const head = [
    title.padEnd(width),
    ...[...columns, "kills", "ms each"].map((name) => name.padStart(13)),
  ];
  const lines = kinds.map((kind) =>
    line(
      kind,
      rows.filter((row) => row.kind === kind),
      width,
    ),
  );
  return [head.join(""), ...lines, line("total", rows, width)].join("\n");
}

function line(name: string, rows: readonly Row[], width: number): string {
  const counts = columns.map(
    (outcome) => rows.filter((row) => row.report.outcome === outcome).length,
  );
  const kills = rows.reduce((sum, row) => sum + row.report.kills, 0);
  const ms = rows.reduce((sum, row) => sum + row.report.ms, 0) / Math.max(1, rows.length);
  const cells = [...counts, kills, Math.round(ms)].map((count) => String(count).padStart(13));
  return [name.padEnd(width), ...cells].join("");
}

/** What went wrong, and how to see it again. */
export function crashProblems(rows: readonly Pick<Row, "name" | "report">[]): readonly string[] {
  return rows
    .filter((row) => row.report.outcome === "wrong")
    .map(
      ({ name, report }) =>
        `${name} (died at ${report.died.join(", ")}): ${report.problems.join("; ")}`,
    );
}

/** `journal.after_append#12` → `journal.after_append`. */
export const kindOf = (point: string): string => point.replace(/#\d+$/, "");
