import type { OpenedSession } from "#app";
import type { Command } from "#core";
import type { Words } from "#i18n";
import type { Terminal } from "../terminal/terminal.ts";
import type { AnswerForm } from "./answer-form.ts";
import { type CommandLine, linesOf, maxLineBytes, parseCommandLine } from "./command-lines.ts";

interface CommandSource {
  readonly stdin: NodeJS.ReadStream;
  readonly stop: AbortSignal;
  /** What every prompt says of its answer. */
  readonly answerSchema: AnswerForm;
}

/**
 * Sends the commands that come as lines on stdin, each as soon as it has come, also while the session works. What
 * cannot be used is said on stderr with its line number, and the next line is read. Resolves at the end of the
 * input, or when the session is to stop.
 */
export async function sendCommandLines(
  opened: OpenedSession,
  terminal: Terminal,
  options: CommandSource,
): Promise<void> {
  const { stdin, stop } = options;
  const stopped = new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve()));
  await Promise.race([sendAll(opened, terminal, options), stopped]);
  stdin.destroy();
}

async function sendAll(
  opened: OpenedSession,
  terminal: Terminal,
  { stdin, answerSchema }: CommandSource,
): Promise<void> {
  const { progress } = terminal.words;
  for await (const line of linesOf(stdin)) {
    const say = (what: string): void => terminal.warn(progress.badLine(line.number, what));
    if (line.text === null) {
      say(progress.lineTooLong(maxLineBytes));
      continue;
    }
    const parsed = parseCommandLine(line.text);
    if (parsed.at === "bad") say(whatIsWrong(parsed, terminal.words));
    if (parsed.at !== "command") continue;
    if (parsed.always) say(progress.alwaysIsSession);
    const sent = await opened.session.send(formed(parsed.command, answerSchema));
    if ("refused" in sent) say(terminal.words.told.refusal(sent));
  }
}

const formed = (command: Command, answerSchema: AnswerForm): Command =>
  command.type === "prompt" ? { ...command, ...answerSchema } : command;

function whatIsWrong(
  line: Extract<CommandLine, { readonly at: "bad" }>,
  { progress }: Words,
): string {
  return line.problem === "not_json" ? progress.badJson(line.detail) : progress.badCommand;
}
