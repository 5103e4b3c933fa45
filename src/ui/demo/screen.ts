import { neutralise } from "../terminal/neutralise.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What the demo writes, all of it on stdout and in order. */
export interface Screen {
  heading(text: string): void;
  text(text: string): void;
  prompt(text: string): void;
  agent(line: string, from: "answer" | "progress"): void;
  alarm(text: string): void;
  check(text: string, holds: boolean): void;
}

export function screenFor(terminal: Terminal): Screen {
  const { out } = terminal;
  const style = terminal.style.out;
  const put = (line: string): void => void out.write(`${line}\n`);
  return {
    heading: (text) => put(`\n${style.bold(text)}`),
    text: (text) => put(neutralise(text)),
    prompt: (text) => put(`${style.mark("›")} ${neutralise(text)}`),
    agent: (line, from) =>
      put(`  ${from === "progress" ? style.dim(neutralise(line)) : neutralise(line)}`),
    alarm: (text) => put(`\n${style.bad(`✗ ${text}`)}\n`),
    check: (text, holds) => put(`${holds ? style.good("✓") : style.bad("✗")} ${text}`),
  };
}
