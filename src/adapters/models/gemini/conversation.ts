import type { Message } from "#core";
import { growingBytes } from "../shared/growing-bytes.ts";
import type { KeptConversation } from "../shared/kept-conversations.ts";
import { callNames } from "./call-names.ts";
import { replyParts, textJson, userParts } from "./content.ts";

/**
 * A growing conversation as contents, user and model in turn. Everything before the last user content stands as finished
 * bytes, so that one more request costs what is new in it.
 */
export interface Conversation extends KeptConversation {
  /** Bytes of the finished part, with a comma at its end when it is not empty. */
  readonly finished: Uint8Array;
  /** JSON of the rest. */
  tail(): string;
}

/** What stands for a message in which nothing can be sent, and between a reply and what continues it. */
const goOn = textJson("Continue.");

export function conversation(model: string): Conversation {
  const names = callNames();
  const bytes = growingBytes();
  /** What the user says since the last reply. */
  let results: string[] = [];
  let rest: string[] = [];

  function add(message: Message): void {
    if (message.role === "user") {
      const parts = userParts(message, names);
      results.push(...parts.results);
      rest.push(...parts.rest);
      return;
    }
    const parts = replyParts(message, { model, names });
    if (parts.length === 0) return;
    bytes.append(`${userJson()},${contentJson("model", parts)},`);
    results = [];
    rest = [];
  }

  function userJson(): string {
    const parts = [...results, ...rest];
    return contentJson("user", parts.length === 0 ? [goOn] : parts);
  }

  return {
    add,
    settle() {},
    get finished() {
      return bytes.view();
    },
    tail: userJson,
  };
}

const contentJson = (role: "user" | "model", parts: readonly string[]): string =>
  `{"role":"${role}","parts":[${parts.join(",")}]}`;
