import type { Words } from "#i18n";
import { neutralise } from "./neutralise.ts";
import { openOutput, outputQueue, type Output } from "./output.ts";
import { type Style, styleFor } from "./style.ts";

/** The streams of this process as every face uses them. */
export interface Terminal {
  readonly words: Words;
  readonly out: Output;
  readonly err: Output;
  /** For text on stdout and on stderr. */
  readonly style: { readonly out: Style; readonly err: Style };
  readonly loudness: "quiet" | "normal" | "verbose";
  /** A line on stderr, whatever the loudness: errors and warnings. */
  warn(line: string): void;
  /** A line on stderr unless quiet. */
  note(line: string): void;
  /** A line on stderr when verbose. */
  detail(line: string): void;
}

export interface TerminalOptions {
  readonly words: Words;
  readonly loudness: Terminal["loudness"];
  readonly color: boolean;
}

/** Lines given to `warn`, `note` and `detail` are neutralised here; style them with `styled` of the face. */
export function openTerminal({ words, loudness, color }: TerminalOptions): Terminal {
  const queue = outputQueue();
  const out = openOutput(process.stdout, queue);
  const err = openOutput(process.stderr, queue);
  const wish = (output: Output): "always" | "never" =>
    color && output.isTerminal ? "always" : "never";
  const style = { out: styleFor(wish(out)), err: styleFor(wish(err)) };
  const line = (text: string): void => void err.write(`${neutralise(text)}\n`);
  return {
    words,
    out,
    err,
    style,
    loudness,
    warn: line,
    note: loudness === "quiet" ? () => {} : line,
    detail: loudness === "verbose" ? line : () => {},
  };
}
