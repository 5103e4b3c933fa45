import { knownModels } from "#app/session";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { cutLine } from "../terminal/neutralise.ts";

/** `pawl models`: known models with their windows (tokens) and prices (dollars for a million tokens). */
export async function models({ invocation, terminal, settings }: Start): Promise<number> {
  const known = knownModels(settings);
  if (invocation.commandOptions.has("json")) {
    await terminal.out.write(jsonLine(known));
    return exitCodes.completed;
  }
  const { modelsCommand: words } = terminal.words;
  const width = Math.max(...known.map(({ ref }) => ref.length));
  for (const { ref, window, price } of known) {
    const tokens = window === null ? words.unknown : String(window);
    const prices = price === null ? words.unknown : words.price(price.input, price.output);
    const line = `${ref.padEnd(width)}  ${tokens.padStart(9)}  ${prices}`;
    await terminal.out.write(`${cutLine(line, 200)}\n`);
  }
  await terminal.out.write(`${words.note}\n`);
  return exitCodes.completed;
}
