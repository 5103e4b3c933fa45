import { readAll } from "../../workspace/index.ts";
import { countOf } from "../shared/ends.ts";
import type { BegunFile } from "./head.ts";

/** Bytes; pictures in outputs make notebooks large. */
const mostNotebookBytes = 32 << 20;
/** Lines and characters of one output that are shown. */
const mostOutputLines = 20;
const mostOutputCharacters = 2_000;

/** A notebook as text: each cell under a line that names it, its outputs below; null when it is none. */
export async function notebookText(file: BegunFile, path: string): Promise<string | null> {
  if (!path.endsWith(".ipynb")) return null;
  const bytes = file.head.isWhole ? file.head.bytes : await readAll(file, mostNotebookBytes);
  const cells = bytes === null ? null : cellsOf(bytes.toString("utf8"));
  if (cells === null) return null;
  return cells.map(showCell).join("\n");
}

function cellsOf(text: string): readonly unknown[] | null {
  try {
    const cells = field(JSON.parse(text), "cells");
    return Array.isArray(cells) ? cells : null;
  } catch {
    // No JSON: it is shown as the text it is.
    return null;
  }
}

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

function showCell(cell: unknown, index: number): string {
  const id = field(cell, "id");
  const name = typeof id === "string" ? `, id ${oneLine(id)}` : "";
  const kind = field(cell, "cell_type");
  const title = `[cell ${index + 1}, ${typeof kind === "string" ? oneLine(kind) : "unknown"}${name}]`;
  const source = textOf(field(cell, "source")).replace(/\n$/, "");
  const outputs = field(cell, "outputs");
  return [
    title,
    ...(source === "" ? [] : [source]),
    ...(Array.isArray(outputs) ? outputs.map(showOutput) : []),
  ].join("\n");
}

const oneLine = (text: string): string => text.slice(0, 80).replaceAll(/\s/g, " ");

/** Long texts are lists of lines in this format. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : "";
};

function showOutput(output: unknown): string {
  const data = field(output, "data");
  const kinds = Object.keys(Object(data)).filter((kind) => kind !== "text/plain");
  const others = kinds.length === 0 ? "" : ` (not shown: ${oneLine(kinds.join(", "))})`;
  const trouble = [field(output, "ename"), field(output, "evalue")].map(textOf).join(": ");
  const text = textOf(field(output, "text")) || textOf(field(data, "text/plain"));
  const said = text === "" && trouble !== ": " ? trouble : text;
  const lines = said.slice(0, mostOutputCharacters).replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, mostOutputLines);
  const isCut = said.length > mostOutputCharacters || lines.length > mostOutputLines;
  const rest = isCut ? [`[… the output has ${countOf(said.length, "character")}]`] : [];
  return [`[output${others}]`, ...(said === "" ? [] : shown), ...rest].join("\n");
}
