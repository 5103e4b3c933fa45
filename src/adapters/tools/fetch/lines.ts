/** Lines with `first` before the first of them and `others` before the rest. */
export const indented = (text: string, first: string, others: string): string =>
  text
    .split("\n")
    .map((line, index) => (index === 0 ? first : others) + line)
    .map((line) => line.trimEnd())
    .join("\n");

/** A table of one line a cell is a table; anything else was for the layout, and its cells follow each other. */
export function tableText(all: readonly (readonly string[])[]): string {
  const rows = all.filter((row) => row.some((one) => one !== ""));
  const isLayout = rows.some((row) => row.some((one) => one.includes("\n")));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (isLayout || width < 2) return rows.flatMap((row) => row.filter(Boolean)).join("\n\n");
  const [head = [], ...body] = rows.map((row) => {
    const cells = row.map((one) => one.replaceAll("|", "\\|"));
    return `| ${[...cells, ...Array.from({ length: Math.min(width - row.length, 50) }, () => "")].join(" | ")} |`;
  });
  return [head, `|${" --- |".repeat(Math.min(width, 50))}`, ...body].join("\n");
}
