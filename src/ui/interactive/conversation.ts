// One conversation on one screen: long, because the states of a prompt, a question and a run belong together.
import { answersByRule, follow, type Followed, type OpenedSession, type OpenRequest } from "#app";
import {
  type CallId,
  type Command,
  type InputId,
  isPawlError,
  isRunning,
  openCalls,
  plainText,
  resultOfRun,
  type State,
  text,
} from "#core";
import { exitCodes } from "../exit-code.ts";
import { neutralise } from "../terminal/neutralise.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonFor } from "../view/because.ts";
import { callInFull } from "../view/call-title.ts";
import { endingNote } from "../view/ending.ts";
import { Narrator } from "../view/narrator.ts";
import type { EditorEvent } from "./line-editor.ts";
import { answerIn, armAfterMs } from "./question.ts";
import { type Screen, workingLabel } from "./screen.ts";
import { lastExchange, Transcript } from "./transcript.ts";

export interface ConversationParts {
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly request: OpenRequest;
  open(request: OpenRequest): Promise<OpenedSession>;
  /** A line that starts with a slash; false when it is a prompt after all. */
  slash(line: string, conversation: Conversation): Promise<boolean>;
}

interface Question {
  readonly call: CallId;
  /** What was being typed when it came. */
  readonly draft: string;
  armed: boolean;
}

/** A second Ctrl-C within this time leaves, in ms. */
const leaveWithinMs = 2_000;

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #transcript: Transcript;
  readonly #ended = Promise.withResolvers<number>();
  readonly #queued = new Map<InputId, string>();
  #request: OpenRequest;
  #narrator: Narrator;
  #opened: OpenedSession | null = null;
  /** The session on its way: what is typed meanwhile waits for it and opens no other one beside it. */
  #opening: Promise<OpenedSession> | null = null;
  #following: Promise<void> = Promise.resolve();
  /** Prompts go in the order they were typed, however long their images take. */
  #sending: Promise<void> = Promise.resolve();
  #question: Question | null = null;
  /** A question of this face itself; takes the next line. */
  #asking: ((line: string) => void) | null = null;
  /** Lines typed before it was clear which session and model they are for; null once it is. */
  #early: string[] | null = [];
  #wasRunning = false;
  #hintedAt = 0;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#request = parts.request;
    this.#transcript = new Transcript(parts.screen);
    this.#narrator = this.#newNarrator();
  }

  get request(): OpenRequest {
    return this.#request;
  }

  get opened(): OpenedSession | null {
    return this.#opened;
  }

  /** Resolves with the exit code when the person leaves. */
  get ended(): Promise<number> {
    return this.#ended.promise;
  }

  get isRunning(): boolean {
    return this.#opened !== null && isRunning(this.#opened.session.state);
  }

  get #words(): Terminal["words"] {
    return this.#parts.terminal.words;
  }

  say(line: string): void {
    this.#parts.screen.print(neutralise(line));
  }

  leave(code: number): void {
    this.#ended.resolve(code);
  }

  /** It is clear what a prompt is for: the first one, then what was typed meanwhile. */
  start(first: string): void {
    const lines = [...(first === "" ? [] : [first]), ...(this.#early ?? [])];
    this.#early = null;
    this.ready();
    for (const line of lines) this.guard(this.#line(line));
  }

  /** Shows the input line for the next prompt. */
  ready(): void {
    this.#parts.screen.setPrompt("› ");
  }

  /** Asks something of its own, and resolves with the next line. */
  ask(question: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const typed = this.#early?.shift();
    if (typed !== undefined) return Promise.resolve(typed);
    this.#asking = resolve;
    this.#parts.screen.setPrompt(question);
    return promise;
  }

  /** Opens the session that the request means, and shows where it stands. */
  open(change: Partial<OpenRequest> = {}): Promise<OpenedSession> {
    const opening = this.#open(change).finally(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    this.#opening = opening;
    return opening;
  }

  async #open(change: Partial<OpenRequest>): Promise<OpenedSession> {
    // What cannot be opened changes nothing: the next prompt goes to the session there was.
    const request = { ...this.#request, ...change };
    const opened = await this.#parts.open(request);
    this.#opened = opened;
    const { session } = opened;
    this.#request = { ...request, which: { at: "resume", id: session.id }, worktree: null };
    this.#narrator = this.#newNarrator();
    this.#narrator.begin(session.state);
    for (const notice of opened.notices) this.say(`! ${notice}`);
    for (const line of lastExchange(session.state, 12)) this.say(line);
    this.#following = this.#follow(opened);
    for (const answer of answersByRule(session.state, opened.policy())) await this.send(answer);
    return opened;
  }

  /** Ends the session's work in this process; what runs is interrupted and recorded. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    const opened = this.#opened;
    this.#opened = null;
    if (opened === null) return;
    await opened.session.send({ type: "interrupt", now: true }).catch(() => {});
    await opened.close();
    await this.#following;
    this.#wasRunning = false;
    this.#closeQuestion();
  }

  /** The next `open` (or prompt) starts from this. */
  change(request: Partial<OpenRequest>): void {
    this.#request = { ...this.#request, ...request };
  }

  async send(command: Command): Promise<void> {
    const opened = await this.#ready();
    const sent = await opened.session.send(command);
    if ("refused" in sent) this.say(`! ${this.#words.told.refusal(sent)}`);
  }

  /** The session, opened when it is not yet. */
  async #ready(): Promise<OpenedSession> {
    return this.#opened ?? (await (this.#opening ?? this.open()));
  }

  onEvent(event: EditorEvent): void {
    switch (event.type) {
      case "submit":
        this.guard(this.#line(event.text));
        break;
      case "interrupt":
        this.interrupt();
        break;
      case "end":
        if (this.isRunning) this.say(this.#words.interactive.stillRunning);
        else this.leave(exitCodes.completed);
        break;
      default:
        event satisfies never;
    }
  }

  /** Ctrl-C: stop what runs, else clear the line, else say how to leave, else leave. */
  interrupt(): void {
    const { screen } = this.#parts;
    const now = Date.now();
    if (this.isRunning) {
      this.guard(this.send({ type: "interrupt", now: true }));
    } else if (screen.draft !== "") {
      screen.clearDraft();
    } else if (now - this.#hintedAt < leaveWithinMs) {
      this.leave(exitCodes.interrupted);
    } else {
      this.#hintedAt = now;
      this.say(this.#words.interactive.againToLeave);
    }
  }

  /** Trouble with what the person asked for is shown; the conversation goes on. */
  guard(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const { told, error: words } = this.#words;
      this.say(`! ${isPawlError(error) ? told.error(error) : words.internal(message)}`);
      this.#parts.screen.setPrompt("› ");
    });
  }

  #newNarrator(): Narrator {
    const { words, style } = this.#parts.terminal;
    return new Narrator(words, style.out);
  }

  async #line(line: string): Promise<void> {
    const { screen } = this.#parts;
    if (this.#asking) {
      const asking = this.#asking;
      this.#asking = null;
      return asking(line);
    }
    const question = this.#question;
    if (question) {
      // Written before anybody could read the question: no answer, and not lost.
      if (!question.armed) return screen.setDraft(line);
      const answer = answerIn(line, { id: question.call });
      return answer === null ? undefined : this.send(answer);
    }
    if (this.#early !== null) return void this.#early.push(line);
    if (line.trim() === "") return;
    if (line.startsWith("/") && (await this.#parts.slash(line, this))) return;
    if (!this.isRunning) screen.setPrompt(workingLabel);
    for (const one of neutralise(line).split("\n")) screen.print(`› ${one}`);
    const sending = this.#sending.then(() => this.#sendPrompt(line));
    this.#sending = sending.catch(() => {});
    await sending;
  }

  async #sendPrompt(line: string): Promise<void> {
    const opened = await this.#ready();
    const { blocks, notices } = await opened.attach(line);
    for (const notice of notices) this.say(`! ${notice}`);
    await this.send({ type: "prompt", blocks: [text(line), ...blocks] });
  }

  async #follow(opened: OpenedSession): Promise<void> {
    try {
      for await (const followed of follow(opened, opened.firstSeq)) {
        await this.#show(followed, opened);
      }
      // A feed that ends while the session is open says that the session cannot go on: why is here.
      if (this.#opened === opened) await opened.session.settled();
    } catch (error) {
      this.guard(Promise.reject(error));
    }
  }

  async #show(followed: Followed, opened: OpenedSession): Promise<void> {
    const { screen, terminal } = this.#parts;
    if (followed.type === "signal") {
      if (followed.signal.type === "text") this.#transcript.delta(followed.signal.delta);
      if (followed.signal.type === "restart") this.#transcript.restart();
      return;
    }
    const { entry, state } = followed;
    const { fact } = entry;
    if (fact.type === "response.received") this.#transcript.reply(fact);
    if (fact.type === "request.failed" || fact.type === "request.lost") this.#transcript.restart();
    if (fact.type === "input.received")
      this.#queued.set(fact.input, plainText(fact.blocks.slice(0, 1)));
    if (fact.type === "input.withdrawn") this.#giveBack(fact.inputs);
    for (const line of this.#narrator.lines(entry, state)) {
      if (line.level !== "detail" || terminal.loudness === "verbose") screen.print(line.text);
    }
    await this.#followQuestion(state, opened);
    if (this.#wasRunning && !isRunning(state)) this.#sayEnd(state);
    this.#wasRunning = isRunning(state);
  }

  /** Queued prompts return to the editor after an interrupt: nothing is sent by itself. */
  #giveBack(inputs: readonly InputId[]): void {
    const { screen } = this.#parts;
    const texts = inputs.map((id) => this.#queued.get(id) ?? "");
    screen.setDraft([...texts, screen.draft].filter(Boolean).join("\n"));
  }

  #sayEnd(state: State): void {
    const result = resultOfRun(state);
    const note = endingNote(state, result, this.#words);
    const said = note === null ? [] : [note];
    for (const line of [...this.#narrator.unsaid(result), ...said]) this.say(`! ${line}`);
    if (result.outcome !== "completed") this.say(this.#words.interactive.goOn);
    this.ready();
  }

  async #followQuestion(state: State, opened: OpenedSession): Promise<void> {
    const asked = openCalls(state).find((call) => call.status.at === "asked") ?? null;
    if (this.#question?.call === asked?.id) return;
    this.#closeQuestion();
    if (asked?.status.at !== "asked") return;
    const { screen } = this.#parts;
    const question: Question = { call: asked.id, draft: screen.draft, armed: false };
    this.#question = question;
    const input = await opened.whole(asked.input);
    screen.setDraft("");
    screen.endLine();
    const reason = reasonFor(asked.status, this.#words);
    screen.print(`? ${callInFull(asked.tool, input)}\n  (${neutralise(reason)})`);
    screen.setPrompt(this.#words.interactive.allow);
    setTimeout(() => {
      if (this.#question !== question) return;
      const early = screen.draft;
      if (early !== "") screen.setDraft("");
      this.#question = { ...question, draft: question.draft + early, armed: true };
    }, armAfterMs);
  }

  #closeQuestion(): void {
    if (this.#question === null) return;
    const { screen } = this.#parts;
    const { draft } = this.#question;
    this.#question = null;
    screen.setDraft(draft);
    screen.setPrompt(workingLabel);
  }
}
