import { plainText, type State } from "#core";
import type { FactOf } from "#core";
import { neutralise } from "../terminal/neutralise.ts";
import type { Screen } from "./screen.ts";

/** Shows replies as they stream, and whole when they did not. */
export class Transcript {
  readonly #screen: Screen;
  /** Text of the current reply that is on the screen, as it came. */
  #streamed = "";
  /** A piece that cannot be judged yet: half a line end, half a character. */
  #held = "";

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  delta(text: string): void {
    this.#streamed += text;
    const whole = this.#held + text;
    const cut = /(?:\r|[\uD800-\uDBFF])$/.test(whole) ? whole.length - 1 : whole.length;
    this.#held = whole.slice(cut);
    this.#screen.stream(neutralise(whole.slice(0, cut)));
  }

  /** What streamed so far counts for nothing. */
  restart(): void {
    this.#screen.endLine();
    this.#streamed = "";
    this.#held = "";
  }

  /** The reply is whole: what did not stream is shown now. */
  reply({ blocks }: FactOf<"response.received">): void {
    const text = plainText(blocks);
    const rest = text.startsWith(this.#streamed) ? text.slice(this.#streamed.length) : text;
    if (rest !== text || this.#streamed === "") this.#screen.stream(neutralise(this.#held + rest));
    else {
      this.#screen.endLine();
      this.#screen.stream(neutralise(text));
    }
    this.#screen.endLine();
    this.#streamed = "";
    this.#held = "";
  }
}

/** The end of a conversation that goes on: its last prompt and answer, shortened. */
export function lastExchange(state: State, lines: number): readonly string[] {
  const shown = state.messages.slice(-4).flatMap((message) => {
    const text = plainText(message.blocks).trim();
    if (text === "") return [];
    const all = neutralise(text).split("\n");
    const cut = all.length > lines ? [...all.slice(0, lines), "…"] : all;
    return message.role === "user" ? cut.map((line) => `› ${line}`) : cut;
  });
  return shown;
}
