import type { OpenedSession, OpenRequest } from "#app";
import { type Command, PawlError, type Policy, text } from "#core";
import type { Invocation } from "../command-line/invocation.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { answerForm } from "./answer-form.ts";
import { kindOfStdin, type PipedInput, readPipedInput } from "./piped-input.ts";
import { runHeadless } from "./run.ts";
import { sendCommandLines } from "./stream-commands.ts";

/**
 * `pawl -p`: reads what is to be done, opens the session, runs it to its end.
 * @returns the exit code
 * @throws PawlError `usage` and what opening a session throws
 */
export async function headless(
  { operands, options }: Invocation,
  terminal: Terminal,
  request: OpenRequest,
): Promise<number> {
  const streams = options.inputFormat === "stream-json";
  checkTogether({ operands, options }, terminal);
  const input = streams ? null : startReading(operands, options.which.at !== "new");
  const answerSchema = await answerForm(options.jsonSchema, request);
  const { openSession } = await import("#app/session");
  const asks = streams && options.onAsk !== "deny";
  const open = (): Promise<OpenedSession> =>
    openSession({ ...request, questions: asks || options.onAsk === "pause" ? "person" : "deny" });
  const typed = input === null ? null : promptOf(operands, await input, terminal);
  const prompt = typed === null ? null : { ...typed, ...answerSchema };
  if (prompt === null && !streams && options.which.at === "new") {
    throw new PawlError("usage", terminal.words.usage.noPrompt);
  }
  const opened = await open();
  for (const notice of opened.notices) terminal.warn(`! ${notice}`);
  if (!options.sandboxOff && mayRunCommands(opened.policy())) {
    terminal.note(`! ${terminal.words.progress.noSandbox}`);
  }
  if (prompt === null && !streams && answerSchema.answerSchema !== undefined) {
    terminal.warn(`! ${terminal.words.answerSchema.onlyForPrompts}`);
  }
  const attached = prompt === null ? null : await opened.attach(typedWords(operands));
  for (const notice of attached?.notices ?? []) terminal.warn(`! ${notice}`);
  return runHeadless({
    opened,
    terminal,
    format: options.outputFormat,
    signals: options.includeSignals ? "include" : "leave_out",
    onAsk: options.onAsk ?? "deny",
    prompt:
      prompt === null
        ? null
        : { ...prompt, blocks: [...prompt.blocks, ...(attached?.blocks ?? [])] },
    commands: streams
      ? (session, stop) =>
          sendCommandLines(session, terminal, { stdin: process.stdin, stop, answerSchema })
      : null,
  });
}

function checkTogether(
  { operands, options }: Pick<Invocation, "operands" | "options">,
  { words }: Terminal,
): void {
  if (options.includeSignals && options.outputFormat !== "stream-json") {
    throw new PawlError("usage", words.usage.signalsNeedStream);
  }
  if (options.inputFormat === "stream-json" && operands.length > 0) {
    throw new PawlError("usage", words.usage.promptAndStream);
  }
}

/** `-` among the words of the prompt asks for all of stdin, however long it takes. */
function startReading(operands: readonly string[], goesOn: boolean): Promise<PipedInput> {
  const needed = operands.includes("-") || (operands.length === 0 && !goesOn);
  return readPipedInput(process.stdin, kindOfStdin(), needed ? "to_the_end" : "patiently");
}

function promptOf(
  operands: readonly string[],
  input: PipedInput,
  terminal: Terminal,
): Extract<Command, { type: "prompt" }> | null {
  const { words } = terminal;
  if (input.at === "too_long") {
    throw new PawlError("usage", words.usage.promptTooLong(input.bytes, input.most));
  }
  if (input.at === "silent") terminal.note(words.progress.stdinSilent);
  if (input.at === "read" && input.damaged) terminal.warn(words.progress.stdinNotText);
  const piped = input.at === "read" ? input.text : "";
  const typed = typedWords(operands);
  const whole = [typed, piped].filter((part) => part.trim() !== "").join("\n\n");
  return whole === "" ? null : { type: "prompt", blocks: [text(whole)] };
}

const typedWords = (operands: readonly string[]): string =>
  operands.filter((word) => word !== "-").join(" ");

function mayRunCommands({ mode, rules, questions }: Policy): boolean {
  if (mode === "read-only") return false;
  if (mode === "bypass" || questions === "person") return true;
  return rules.some(
    ({ verdict, tool }) => verdict === "allow" && (tool === "bash" || tool === "*"),
  );
}
