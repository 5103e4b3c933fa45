import type { Words } from "#i18n";
import { positionAfter } from "../terminal/width.ts";
import { type CommandRow, commandRows, type OptionRow, optionRows } from "./options.ts";

const columns = 98;

/** The text of `--help`, for the program or for one command. */
export function helpText(command: CommandRow | null, words: Words): string {
  const groups = [...new Set(optionRows.map((row) => row.group))];
  const sections = groups.map((group) => {
    const rows = optionRows.filter((row) => row.group === group);
    return section(
      words.groups[group],
      rows.map((row) => optionLine(row, words)),
    );
  });
  if (command) {
    const own = (command.options ?? []).map((row) => optionLine(row, words));
    return [
      `${words.usage.title} pawl ${usageOf(command)}`,
      "",
      `${words.commands[command.name]}${command.later ? ` ${words.usage.later}` : ""}`,
      ...(own.length > 0 ? ["", section(words.groups.command, own)] : []),
      "",
      words.usage.moreOptions,
      "",
    ].join("\n");
  }
  const commands = commandRows.map((row) =>
    item(usageOf(row), words.commands[row.name], row.later ? words.usage.later : ""),
  );
  return [
    `${words.usage.title} ${words.usage.synopsis}`,
    "",
    ...sections.flatMap((text) => [text, ""]),
    section(words.groups.commands, commands),
    `  ${words.usage.commandHelp}`,
    "",
    words.usage.footer,
    "",
  ].join("\n");
}

function optionLine(row: OptionRow, words: Words): string {
  return item(row.flags, words.options[row.word], row.later ? words.usage.later : "");
}

/** `doctor [--json] [--offline]`: with the options of its own. */
function usageOf({ name, usage, options }: CommandRow): string {
  const own = (options ?? []).map(({ flags }) => ` [${flags}]`);
  return `${`${name} ${usage}`.trimEnd()}${own.join("")}`;
}

const section = (title: string, lines: readonly string[]): string => [title, ...lines].join("\n");

const termWidth = 30;

function item(term: string, description: string, mark: string): string {
  const indent = " ".repeat(termWidth);
  const lines = wrap(mark === "" ? description : `${description} ${mark}`, columns - termWidth);
  const head = `  ${term}`;
  const first = head.length < termWidth - 1 ? `${head.padEnd(termWidth)}${lines[0] ?? ""}` : head;
  const rest = head.length < termWidth - 1 ? lines.slice(1) : lines;
  return [first, ...rest.map((line) => `${indent}${line}`)].join("\n");
}

/** Breaks at spaces, and between Chinese characters, which count as two columns. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const [piece] of text.matchAll(
    /[^\s\u2E80-\uFFEF]+[,.;:]?|\s+|[\u2E80-\uFFEF][，。；：、）]?/gu,
  )) {
    if (positionAfter(line + piece, Infinity).column > width && line !== "") {
      lines.push(line.trimEnd());
      line = "";
    }
    line += line === "" ? piece.trimStart() : piece;
  }
  return line === "" ? lines : [...lines, line.trimEnd()];
}
