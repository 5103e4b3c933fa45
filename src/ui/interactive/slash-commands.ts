import { groundOf } from "#app/store";
import { type ThinkingLevel, thinkingLevels, totalTokens } from "#core";
import type { Words } from "#i18n";
import { exitCodes } from "../exit-code.ts";
import { modelName } from "../view/model-name.ts";
import type { Conversation } from "./conversation.ts";
import { slashIn } from "./slash.ts";

/** Does what a line with a slash asks for; false when it is text for the model. */
export async function runSlash(
  line: string,
  conversation: Conversation,
  words: Words,
): Promise<boolean> {
  const slash = slashIn(line);
  if (slash === null) return false;
  const { interactive } = words;
  if (conversation.isRunning && opensAnew.includes(slash.type)) {
    conversation.say(interactive.stillRunning);
    return true;
  }
  switch (slash.type) {
    case "help":
      conversation.say(interactive.help);
      break;
    case "exit":
      conversation.leave(exitCodes.completed);
      break;
    case "continue":
    case "compact":
      await conversation.send({ type: slash.type });
      break;
    case "cost":
      sayCost(conversation, words);
      break;
    case "sessions":
      await saySessions(conversation, words);
      break;
    case "clear":
      await conversation.close();
      conversation.change({ which: { at: "new" } });
      conversation.say(interactive.cleared);
      conversation.ready();
      break;
    case "resume":
      if (slash.id === null) await saySessions(conversation, words);
      else await reopen(conversation, { which: { at: "resume", id: slash.id } });
      break;
    case "model":
    case "mode":
      await changeAgent(conversation, slash, words);
      break;
    case "thinking":
      await changeThinking(conversation, slash, words);
      break;
    case "unknown":
      conversation.say(interactive.unknownSlash(slash.name));
      break;
    default:
      slash satisfies never;
  }
  return true;
}

/** These close the session, which would cut off what runs. */
const opensAnew: readonly string[] = ["clear", "resume", "model", "mode", "thinking"];

type Change = Parameters<Conversation["change"]>[0];

async function reopen(conversation: Conversation, change: Change): Promise<void> {
  const before = conversation.request;
  await conversation.close();
  try {
    await conversation.open(change);
  } catch (error) {
    // What cannot be opened changes nothing: the next prompt goes on as before.
    conversation.change(before);
    throw error;
  }
  conversation.ready();
}

/** The system prompt names the mode, so a session that is open is opened anew. */
async function changeAgent(
  conversation: Conversation,
  slash: Extract<ReturnType<typeof slashIn>, { readonly type: "model" | "mode" }>,
  words: Words,
): Promise<void> {
  const { settings, cwd, startedIn, baseUrl } = conversation.request;
  const value = slash.type === "model" ? slash.model : slash.mode;
  if (value === null) {
    const agent = conversation.opened?.session.state.agent;
    conversation.say(
      slash.type === "model"
        ? words.interactive.modelIs(modelName(agent?.model ?? settings.model ?? "—", cwd))
        : words.interactive.modeIs(agent?.mode ?? settings.mode ?? "ask"),
    );
    return;
  }
  const changed =
    slash.type === "model"
      ? { ...settings, model: value, modelIsChosen: true }
      : { ...settings, mode: slash.mode };
  if (conversation.opened) {
    await reopen(conversation, { settings: changed });
  } else {
    // Nothing is opened before a prompt: what is known now is told now.
    if (slash.type === "model") {
      const { checkModel } = await import("#app/session");
      checkModel(changed, startedIn, baseUrl);
    }
    conversation.change({ settings: changed });
  }
  conversation.say(
    slash.type === "model" ? words.interactive.modelIs(value) : words.interactive.modeIs(value),
  );
}

async function changeThinking(
  conversation: Conversation,
  { level, written }: Extract<ReturnType<typeof slashIn>, { readonly type: "thinking" }>,
  words: Words,
): Promise<void> {
  const { settings } = conversation.request;
  const say = (now: ThinkingLevel | null): void =>
    conversation.say(words.interactive.thinkingIs(now ?? words.interactive.byItself));
  if (written === null) {
    const agent = conversation.opened?.session.state.agent;
    return say(agent === undefined ? settings.thinking : agent.thinking);
  }
  if (level === null) {
    const levels = words.config.expected.oneOf(thinkingLevels);
    return conversation.say(`! ${words.usage.wrongValue("/thinking", written, levels)}`);
  }
  const changed = { ...settings, thinking: level, thinkingIsChosen: true };
  if (conversation.opened) await reopen(conversation, { settings: changed });
  else conversation.change({ settings: changed });
  say(level);
}

function sayCost(conversation: Conversation, words: Words): void {
  const budget = conversation.opened?.session.state.budget;
  if (!budget) return conversation.say(words.interactive.noCost);
  const unpriced = budget.unpriced > 0 ? ` (${words.progress.unpriced}: ${budget.unpriced})` : "";
  conversation.say(
    words.interactive.cost(budget.turns, totalTokens(budget.usage), {
      calls: budget.toolCalls,
      cached: budget.usage.cacheRead,
      usd: `$${budget.costUsd.toFixed(4)}${unpriced}`,
    }),
  );
}

async function saySessions(conversation: Conversation, words: Words): Promise<void> {
  const { settings, cwd } = conversation.request;
  const list = await groundOf(settings).store.list({ cwd });
  if (list.length === 0) conversation.say(words.session.none(cwd));
  for (const { id, title } of list.slice(0, 20)) conversation.say(`${id}  ${title}`);
}
