import { type OpenRequest, resumeCommand } from "#app";
import { groundOf, unfinishedSession } from "#app/store";
import { exitCodes } from "../exit-code.ts";
import type { Invocation } from "../command-line/invocation.ts";
import { onSignals } from "../terminal/signals.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { Conversation } from "./conversation.ts";
import type { EditorEvent } from "./line-editor.ts";
import { openScreen } from "./screen.ts";
import { runSlash } from "./slash-commands.ts";
import { unfinishedReport } from "../view/unfinished.ts";
import { chooseOffered, offersFor } from "./offered-models.ts";

/**
 * The interactive face on a terminal: a conversation until the person leaves.
 * @returns the exit code
 * @throws what opening a session throws before there is a conversation
 */
export async function interactive(
  { operands }: Invocation,
  terminal: Terminal,
  request: OpenRequest,
): Promise<number> {
  const { openSession } = await import("#app/session");
  const { words } = terminal;
  // What cannot work is said before there is a screen.
  const offers = await offersFor(request);
  let onEvent: (event: EditorEvent) => void = () => {};
  const screen = openScreen({
    input: process.stdin,
    output: terminal.out,
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    onEvent: (event) => onEvent(event),
    onGone: () => conversation.leave(exitCodes.terminated),
  });
  const conversation: Conversation = new Conversation({
    terminal,
    screen,
    request,
    open: openSession,
    slash: (line, to) => runSlash(line, to, words),
  });
  onEvent = (event) => conversation.onEvent(event);
  const off = onSignals({
    stop: (how) =>
      how === "terminated" ? conversation.leave(exitCodes.terminated) : conversation.interrupt(),
    leave: (how) => {
      screen.close();
      process.exit(exitCodes[how]);
    },
  });
  try {
    conversation.say(words.interactive.banner(request.cwd));
    const begun = begin(conversation, terminal).then(() =>
      chooseOffered(conversation, offers, words),
    );
    // Whoever leaves at a question leaves.
    const left = await Promise.race([begun.then(() => null), conversation.ended]);
    if (left !== null) return left;
    conversation.start(operands.join(" "));
    return await conversation.ended;
  } finally {
    const state = conversation.opened?.session.state;
    await conversation.close();
    screen.close();
    off();
    if (state && state.prompt.seq > 0) terminal.note(words.progress.resume(resumeCommand(state)));
    await terminal.err.drained();
    await terminal.out.drained();
  }
}

/** Which session: the one that was named, or after an unfinished one the person's choice (requirement R76). */
async function begin(conversation: Conversation, terminal: Terminal): Promise<void> {
  const { which, settings, cwd } = conversation.request;
  const { words } = terminal;
  const { store } = groundOf(settings);
  if (which.at === "resume" && which.id === null) {
    const list = (await store.list({ cwd })).slice(0, 20);
    if (list.length === 0) return conversation.say(words.session.none(cwd));
    for (const [index, { title }] of list.entries()) conversation.say(`${index + 1}  ${title}`);
    const chosen = (await conversation.ask(words.session.openQuestion)).trim();
    const id = list[Number(chosen) - 1]?.id ?? chosen;
    await conversation.open({ which: { at: "resume", id } });
    return;
  }
  if (which.at !== "new") {
    await conversation.open();
    return;
  }
  const unfinished = await unfinishedSession(store, cwd);
  if (unfinished === null) return;
  const { info, found } = unfinished;
  const head = words.unfinished.head(info.id, info.title);
  for (const line of [head, ...unfinishedReport(found, words)]) conversation.say(line);
  const answer = (await conversation.ask(words.unfinished.question)).trim().toLowerCase();
  if (["", "y", "yes", "c", "是"].includes(answer)) {
    await conversation.open({ which: { at: "resume", id: info.id } });
  }
}
