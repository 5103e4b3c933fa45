import type { Message, UserMessage } from "#core";
import { growingBytes } from "../shared/growing-bytes.ts";
import type { KeptConversation } from "../shared/kept-conversations.ts";
import { wireIds, type WireIdRules } from "../shared/wire-ids.ts";
import { assistantJson, userMessagesJson, userParts, type UserParts } from "./content.ts";
import type { Dialect } from "../capabilities.ts";

/**
 * A growing conversation in wire form. Each message is serialised once; everything before the last user messages
 * stands as finished bytes, so that one more request costs what is new in it.
 */
export interface Conversation extends KeptConversation {
  /** Bytes of the finished messages, each with a comma behind it. */
  readonly finished: Uint8Array;
  /** JSON of the rest: never empty, for a user speaks last. */
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
    bytes.append(`${tail()},${json},`);
    open = null;
  }

  function tail(): string {
    const isSaid = open !== null && open.results.length + open.shown.length > 0;
    return userMessagesJson(isSaid && open !== null ? open : goOn);
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
