import { isPawlError } from "#core";
import { languageOfLocale, parseLanguage, type Words, wordsFor } from "#i18n";
import { exitCodeOfError, exitCodes } from "./exit-code.ts";
import { parseArguments } from "./command-line/parse.ts";
import { neutralise } from "./terminal/neutralise.ts";

/**
 * The command line: reads `argv` (without node and file), does the work, returns the exit code (contract,
 * section 2). Never throws. Each face and command is loaded only when it is used.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const words = await wordsFor(languageBeforeSettings(argv));
  try {
    return await run(argv, words);
  } catch (error) {
    if (isReadByPrograms(argv)) {
      const { failedResult } = await import("./headless/failed-result.ts");
      await print(failedResult(error));
    }
    process.stderr.write(`${explain(error, words, argv)}\n`);
    return isPawlError(error) ? exitCodeOfError(error.code) : exitCodes.failed;
  }
}

async function run(argv: readonly string[], words: Words): Promise<number> {
  const parsed = parseArguments(argv, words);
  switch (parsed.at) {
    case "help":
      return print(parsed.text);
    case "version": {
      const { programVersion } = await import("#app");
      return print(`${programVersion()}\n`);
    }
    case "run": {
      const { start } = await import("./start.ts");
      return start(parsed.invocation, words);
    }
    default:
      return parsed satisfies never;
  }
}

/** They get a result object also for what could not even begin, a wrong option among it. */
function isReadByPrograms(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const at = options.indexOf("--output-format");
  const format = at < 0 ? options.find((word) => word.startsWith(flag)) : options[at + 1];
  return /^(?:--output-format=)?(?:stream-)?json$/.test(format ?? "");
}

const flag = "--output-format=";

/** Resolves when the text has left, so that a slow reader gets all of it. */
async function print(text: string): Promise<number> {
  const { openOutput } = await import("./terminal/output.ts");
  await openOutput(process.stdout).write(text);
  return exitCodes.completed;
}

/** What speaks before the settings are read: the flag (also a wrong one later), the variable, the locale. */
function languageBeforeSettings(argv: readonly string[]): ReturnType<typeof languageOfLocale> {
  const at = argv.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const flag = argv[at]?.split("=")[1] ?? argv[at + 1] ?? "";
  const named =
    (at < 0 ? null : parseLanguage(flag)) ?? parseLanguage(process.env["PAWL_LANG"] ?? "");
  return named ?? languageOfLocale(process.env);
}

/** One line for people; the stack too when it is our fault and more was asked for. */
function explain(error: unknown, words: Words, argv: readonly string[]): string {
  if (isPawlError(error)) return neutralise(`${words.error.title} ${words.told.error(error)}`);
  const message = error instanceof Error ? error.message : String(error);
  const verbose = argv.includes("-v") || argv.includes("--verbose");
  const stack = verbose && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  return neutralise(`${words.error.title} ${words.error.internal(message)}${stack}`);
}
