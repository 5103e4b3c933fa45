import type { Message, UserMessage } from "#core";
import { growingBytes } from "../shared/growing-bytes.ts";
import type { KeptConversation } from "../shared/kept-conversations.ts";
import { wireIds, type WireIdRules } from "../shared/wire-ids.ts";
import { assistantJson, marked, userMessagesJson, userParts, type UserParts } from "./content.ts";
import type { Dialect } from "../capabilities.ts";

/**
 * A growing conversation in wire form. Each message is serialised once; everything before the last user messages
 * stands as finished bytes, so that one more request costs what is new in it.
 */
export interface Conversation extends KeptConversation {
  /** Bytes of the finished messages, each with a comma behind it. */
  readonly finished: Uint8Array;
  /**
   * JSON of the rest: never empty, for a user speaks last. Where the cache has to be asked for, the last two of the
   * user's turns bear a mark: it is looked for 20 blocks back from one, and a reply may hold more.
   */
  tail(): string;
}

/** What stands for a user who said nothing that can be sent: replies need one before and after them. */
const goOn: UserParts = { results: [], shown: [{ type: "text", text: "Continue." }] };
const nothing: UserParts = { results: [], shown: [] };

/** @param model the one it is written for: what only its provider understands goes to no other */
export function conversation(model: string, dialect: Dialect): Conversation {
  const where = { model, dialect, ids: wireIds(idRules(dialect)) };
  const bytes = growingBytes();
  /** Neighbouring user messages are one; null behind a reply. */
  let open: UserParts | null = null;
  /** A turn of the user and the reply to it that still bear a mark. */
  let held: { readonly user: string; readonly reply: string } | null = null;

  function addUser(message: UserMessage): void {
    const before: UserParts = open ?? nothing;
    const news = userParts(message, where);
    open = {
      results: [...before.results, ...news.results],
      shown: [...before.shown, ...news.shown],
    };
  }

  function add(message: Message): void {
    if (message.role === "user") return addUser(message);
    const json = assistantJson(message, where);
    if (json === null) return;
    const done = dialect.cacheMarks === "asked_for" ? held : { user: lastTurn(), reply: json };
    held = dialect.cacheMarks === "asked_for" ? { user: lastTurn(), reply: json } : null;
    if (done !== null) bytes.append(`${done.user},${done.reply},`);
    open = null;
  }

  function lastTurn(): string {
    const isSaid = open !== null && open.results.length + open.shown.length > 0;
    return userMessagesJson(isSaid && open !== null ? open : goOn, dialect);
  }

  function tail(): string {
    if (dialect.cacheMarks === "by_itself") return lastTurn();
    const before = held === null ? "" : `${marked(held.user)},${held.reply},`;
    return `${before}${marked(lastTurn())}`;
  }

  return {
    add,
    settle: () => {},
    get finished() {
      return bytes.view();
    },
    tail,
  };
}

function idRules({ provider, callIds }: Dialect): WireIdRules {
  return callIds === "nine_letters"
    ? { provider, sendable: /^[a-zA-Z0-9]{9}$/, made: (digits) => digits.slice(0, 9) }
    : // Gateways keep signatures in ids, so they may be long; ours are short.
      { provider, sendable: /^[\x21-\x7e]{1,8192}$/, made: (digits) => `call_${digits}` };
}
