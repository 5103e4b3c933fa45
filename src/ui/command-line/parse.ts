import { Command, CommanderError, Option } from "commander";

import { PawlError } from "#core";
import type { Words } from "#i18n";
import { helpText } from "./help.ts";
import type { Invocation } from "./invocation.ts";
import { commandRows, namesOf, type OptionRow, optionRows, valueOf } from "./options.ts";
import { readOptions } from "./read-options.ts";

export type Parsed =
  | { readonly at: "run"; readonly invocation: Invocation }
  | { readonly at: "help"; readonly text: string }
  | { readonly at: "version" };

/**
 * Reads the command line. A command is the first word that is no option, unless `-p` stands before it.
 * @throws PawlError `usage`, `not_in_this_version`
 */
export function parseArguments(argv: readonly string[], words: Words): Parsed {
  const at = commandAt(argv);
  const row = commandRows.find((one) => at !== null && one.name === argv[at]) ?? null;
  const rows = [...optionRows, ...(row?.options ?? [])];
  const command = build(rows);
  try {
    command.parse(row === null ? argv : argv.toSpliced(at ?? 0, 1), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new PawlError("usage", usageMessage(error, words), { cause: error });
  }
  const given: Readonly<Record<string, unknown>> = command.opts();
  if (given["help"] === true) return { at: "help", text: helpText(row, words) };
  if (given["version"] === true) return { at: "version" };
  const later = rows.find((one) => one.later && given[keyOf(one)] !== undefined);
  if (later) throw notYet(namesOf(later).at(-1) ?? "", words);
  if (row?.later) throw notYet(`pawl ${row.name}`, words);
  const own = (row?.options ?? []).map(keyOf).filter((key) => given[key] === true);
  return {
    at: "run",
    invocation: {
      command: row?.name ?? null,
      operands: command.args,
      options: readOptions(given, words),
      commandOptions: new Set(own),
    },
  };
}

const notYet = (what: string, words: Words): PawlError =>
  new PawlError("not_in_this_version", words.usage.notYet(what));

/** `--max-turns <n>` → `maxTurns`; `--no-color` → `color`: the names commander stores values under. */
const keyOf = (row: OptionRow): string => new Option(row.flags).attributeName();

/** Index of the command's name in `argv`; null when the words are a prompt. */
function commandAt(argv: readonly string[]): number | null {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--" || word === "--print" || /^-[cqv]*p/.test(word)) return null;
    if (!word.startsWith("-") || word === "-") {
      return commandRows.some((row) => row.name === word) ? index : null;
    }
    const row = optionRows.find((one) => namesOf(one).includes(word));
    const value = row === undefined ? "none" : valueOf(row);
    const next = argv[index + 1] ?? "-";
    if (value === "required" || (value === "optional" && !next.startsWith("-"))) index++;
  }
  return null;
}

function build(rows: readonly OptionRow[]): Command {
  const command = new Command("pawl")
    .exitOverride()
    .allowExcessArguments()
    .helpOption(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const row of rows) {
    const option = new Option(row.flags);
    if (row.repeats) {
      option.argParser((value, old: readonly string[] | undefined) => [...(old ?? []), value]);
    }
    command.addOption(option);
  }
  return command;
}

/** What was wrong, in the user's language; the option's name is in commander's own message, in quotes. */
function usageMessage(error: CommanderError, words: Words): string {
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const near = /Did you mean (?:one of )?(.+?)\?/.exec(error.message)?.[1] ?? null;
  switch (error.code) {
    case "commander.unknownOption":
      return words.usage.unknownOption(quoted, near);
    case "commander.optionMissingArgument":
      return words.usage.missingValue(quoted);
    default:
      return error.message.replace(/^error: /, "");
  }
}
