import type { Message } from "#core";
import { growingBytes } from "../shared/growing-bytes.ts";
import type { KeptConversation } from "../shared/kept-conversations.ts";
import { callNames } from "./call-names.ts";
import { replyItems } from "./reply-items.ts";
import { goOn, userItems } from "./user-items.ts";

/**
 * A growing conversation as input items. What lies before the last reply stands as finished bytes, so that one more
 * request costs what is new in it.
 */
export interface Conversation extends KeptConversation {
  /** Bytes of the finished part, with a comma at its end when it is not empty. */
  readonly finished: Uint8Array;
  /** JSON of the rest. */
  tail(): string;
}

export function conversation(model: string, itemIds: RegExp): Conversation {
  const names = callNames();
  const bytes = growingBytes();
  /** What the user said since the last reply: results stand first, whatever came between them (field case W14). */
  let results: string[] = [];
  let rest: string[] = [];
  let reply: readonly string[] = [];

  function add(message: Message): void {
    if (message.role === "user") {
      const items = userItems(message, names);
      results.push(...items.results);
      rest.push(...items.rest);
      return;
    }
    const items = replyItems(message, { model, names, itemIds });
    if (items.length === 0) return;
    const said = [...results, ...rest];
    // A request that ended with a reply was told to go on: the next one begins with its bytes.
    const between = reply.length > 0 && said.length === 0 ? [goOn] : said;
    bytes.append([...reply, ...between].map((item) => `${item},`).join(""));
    results = [];
    rest = [];
    reply = items;
  }

  return {
    add,
    settle() {},
    get finished() {
      return bytes.view();
    },
    tail() {
      const said = [...results, ...rest];
      return [...reply, ...(said.length === 0 ? [goOn] : said)].join(",");
    },
  };
}
