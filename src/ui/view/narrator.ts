import {
  type CallId,
  leavesOutReasoning,
  reasoningLeftOut,
  type Entry,
  type Fact,
  type FactOf,
  type RunResult,
  type State,
} from "#core";
import type { Words } from "#i18n";
import { cutLine, neutraliseLine } from "../terminal/neutralise.ts";
import type { Style } from "../terminal/style.ts";
import { reasonFor } from "./because.ts";
import { effectText } from "./effect-text.ts";
import { evidence } from "./explain.ts";
import { CallTitles } from "./call-title.ts";
import { usedText } from "./used.ts";
import { clockTime } from "./clock-time.ts";
import { remedySentence } from "./remedy-sentence.ts";

/** From here on a moment says more than a count of seconds. */
const longWaitSeconds = 60;

/** A line about the run for people: safe for a terminal, already in colour. */
export interface Line {
  readonly text: string;
  /** `detail`: only when more was asked for. `warning`: even when little was. */
  readonly level: "note" | "detail" | "warning";
}

/** Turns facts into lines while a run goes on. */
export class Narrator {
  readonly #words: Words;
  readonly #style: Style;
  readonly #titles = new CallTitles();
  readonly #warned = new Set<string>();
  /** The call whose title is the last line: what comes next is taken for its result. */
  #titled: CallId | null = null;
  #lastModel: string | null = null;

  constructor(words: Words, style: Style) {
    this.#words = words;
    this.#style = style;
  }

  /** Calls that were open before the first fact. */
  begin(state: State): void {
    this.#titles.addOpen(state);
    this.#lastModel = state.lastModel;
  }

  title(call: Parameters<CallTitles["of"]>[0]): string {
    return this.#titles.of(call);
  }

  lines({ fact, at }: Entry, state: State): readonly Line[] {
    switch (fact.type) {
      case "tool.requested":
        this.#titles.add(fact.call, fact.tool, fact.input);
        return [];
      case "response.received":
        return this.#response(fact, state);
      case "tool.started":
        this.#titled = fact.call;
        return this.#note(`${this.#style.mark("●")} ${this.title(fact.call)}`);
      case "tool.finished":
        return this.#note(this.#finished(fact, state.cwd));
      case "permission.decided":
        return fact.verdict === "allow"
          ? []
          : [
              ...this.#note(`${this.#style.bad("●")} ${this.title(fact.call)}`),
              ...this.#result(this.#denied(fact)),
            ];
      case "request.started":
        return this.#asked(fact, state);
      case "request.failed":
        return this.#failed(fact, state, at);
      case "request.lost":
        return this.#note(this.#words.progress.requestLost);
      case "tool.lost":
        return this.#note(this.#words.progress.lost(this.title(fact.call)));
      case "tool.probed":
        return this.#probed(fact);
      case "context.compacted":
        return this.#note(this.#words.progress.compacted(fact.from));
      case "agent.changed":
      case "budget.released":
      case "budget.reserved":
      case "hook.ran":
      case "input.received":
      case "input.withdrawn":
      case "interrupt.requested":
      case "job.ended":
      case "job.started":
      case "memory.changed":
      case "permission.asked":
      case "session.forked":
      case "session.resumed":
      case "session.started":
      case "timer.fired":
      case "workspace.restored":
        return [];
      default:
        return fact satisfies never;
    }
  }

  #denied(fact: FactOf<"permission.decided">): string {
    return this.#words.progress.denied(fact.rule, reasonFor(fact, this.#words));
  }

  #note(text: string): readonly Line[] {
    return [{ text, level: "note" }];
  }

  #result(text: string): readonly Line[] {
    return this.#note(`  ${this.#style.dim(`⎿ ${neutraliseLine(text)}`)}`);
  }

  #response(fact: FactOf<"response.received">, state: State): readonly Line[] {
    for (const block of fact.blocks) {
      if (block.type === "tool_use") this.#titles.add(block.call, block.tool, block.input);
    }
    const { progress } = this.#words;
    const turn = progress.turn(state.prompt.turns, usedText(fact, this.#words));
    return [
      { text: this.#style.dim(turn), level: "detail" },
      ...this.#unusable(fact),
      ...fact.warnings.map((warning): Line => {
        this.#warned.add(warning);
        return this.#warning(this.#words.told.warning(warning));
      }),
    ];
  }

  /** Calls of unknown tools or with wrong arguments: nothing else is ever said of them. */
  #unusable({ blocks, stamps }: FactOf<"response.received">): readonly Line[] {
    return blocks.flatMap((block) => {
      const stamp = block.type === "tool_use" ? stamps[block.call] : undefined;
      if (block.type !== "tool_use" || stamp === undefined || !("invalid" in stamp)) return [];
      const why = `${this.#words.progress.outcome.error} · ${stamp.invalid}`;
      return [
        ...this.#note(`${this.#style.bad("●")} ${this.title(block.call)}`),
        ...this.#result(cutLine(why, 200)),
      ];
    });
  }

  /** Remembers that this was said in other words. */
  said(warning: string): void {
    this.#warned.add(warning);
  }

  /** Warnings of a result that were no line yet; why it ended is told apart from them. */
  unsaid({ warnings, note }: RunResult): readonly string[] {
    return warnings.filter((warning) => warning !== note && !this.#warned.has(warning));
  }

  #warning(text: string): Line {
    this.#warned.add(text);
    return { text: `${this.#style.bad("!")} ${neutraliseLine(text)}`, level: "warning" };
  }

  #finished(fact: FactOf<"tool.finished">, cwd: string): string {
    const seconds = `${(fact.durationMs / 1000).toFixed(1)} s`;
    const effects = fact.effects
      .map((effect) => effectText(effect, cwd, this.#words))
      .filter(Boolean);
    const outcome = this.#words.progress.outcome[fact.outcome];
    const title = this.#titled === fact.call ? "" : this.title(fact.call);
    this.#titled = null;
    const what = [
      title,
      outcome,
      seconds,
      ...effects,
      fact.outcome === "error" ? firstLine(fact) : "",
    ];
    const paint = fact.outcome === "ok" ? this.#style.dim : this.#style.bad;
    return `  ${paint(`⎿ ${cutLine(what.filter(Boolean).join(" · "), 200)}`)}`;
  }

  /** Once for each change of the model. */
  #asked({ model }: FactOf<"request.started">, state: State): readonly Line[] {
    const isOther = this.#lastModel !== model;
    this.#lastModel = model;
    if (!isOther || !leavesOutReasoning(state, model)) return [];
    this.#warned.add(reasoningLeftOut(model));
    return [this.#warning(this.#words.progress.reasoningLeftOut(model))];
  }

  #failed(fact: FactOf<"request.failed">, state: State, at: number): readonly Line[] {
    const { phase, prompt } = state;
    const { class: kind } = fact.failure;
    const message = this.#words.told.failure(fact.failure);
    if (fact.remedy !== null) {
      // The result says the same in its own words.
      this.#warned.add(prompt.warnings.at(-1) ?? "");
      return [this.#warning(remedySentence(message, fact.remedy, this.#words))];
    }
    if (phase.at !== "backing_off") return [];
    const { progress } = this.#words;
    const seconds = Math.max(0, Math.round((phase.until - at) / 1000));
    const isLong = seconds >= longWaitSeconds;
    return [
      this.#warning(
        isLong
          ? progress.longRetry(message, kind, clockTime(phase.until, at))
          : progress.retry(message, seconds),
      ),
    ];
  }

  #probed(fact: FactOf<"tool.probed">): readonly Line[] {
    const { progress } = this.#words;
    const say: Readonly<Record<typeof fact.verdict, (title: string) => string>> = {
      happened: progress.happened,
      did_not_happen: progress.notHappened,
      running: progress.running,
      undetermined: progress.undetermined,
    };
    const title = this.title(fact.call);
    const wasCutOff = fact.verdict === "happened" && fact.end?.outcome === "interrupted";
    const said = wasCutOff ? progress.cutOff(title) : say[fact.verdict](title);
    return [
      ...this.#note(`${this.#style.mark("●")} ${said}`),
      ...this.#result(cutLine(evidence(fact, this.#words), 200)),
    ];
  }
}

function firstLine({ content }: Extract<Fact, { type: "tool.finished" }>): string {
  const text = content.find((block) => block.type === "text")?.text;
  return typeof text === "string" ? (text.trim().split("\n")[0] ?? "") : "";
}
