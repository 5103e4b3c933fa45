import type { AssistantMessage, Message } from "#core";
import { growingBytes } from "../shared/growing-bytes.ts";
import type { KeptConversation } from "../shared/kept-conversations.ts";
import { wireIds } from "../shared/wire-ids.ts";
import { assistantContent, holdsServerTool, textJson, userContent } from "./content.ts";
import { provider } from "./provider.ts";

/** One wire message: neighbouring user messages are one. */
interface Group {
  readonly role: "user" | "assistant";
  results: string;
  rest: string;
  /** A reply that paused inside a server tool: it is continued, nothing needs to be said after it. */
  readonly isPaused: boolean;
  readonly startsWithThinking: boolean;
  readonly holdsCall: boolean;
}

/**
 * A growing conversation in wire form. Each message is serialised once, when it joins; what lies before the last
 * two user messages stands as finished bytes, so that one more request costs what is new in it.
 */
export interface Conversation extends KeptConversation {
  /** Bytes of the finished part, with a comma at its end when it is not empty. */
  readonly finished: Uint8Array;
  /** JSON of the rest, with cache marks on the last two user messages. */
  tail(): string;
  /** The history holds calls or results. */
  readonly holdsTools: boolean;
  /** With thinking on, the API wants the reply whose calls are being answered to begin with thinking. */
  readonly allowsThinking: boolean;
}

/** What stands for a message in which nothing can be sent, and between a reply and what continues it. */
const goOn = textJson("Continue.");

/** @param model the one it is written for: only what that model thought goes back to it */
export function conversation(model: string): Conversation {
  const ids = wireIds(idRules);
  const open: Group[] = [];
  const bytes = growingBytes();
  let holdsTools = false;

  function add(message: Message): void {
    if (message.role === "assistant") return addAssistant(message);
    const { results, rest } = userContent(message, ids);
    const last = open.at(-1);
    const group = last?.role === "user" ? last : push("user", {});
    group.results = joined([group.results, ...results]);
    group.rest = joined([group.rest, ...rest]);
    if (results.length > 0) holdsTools = true;
  }

  function addAssistant(message: AssistantMessage): void {
    const content = assistantContent(message, { model, ids });
    if (content.length === 0) return;
    const last = open.at(-1);
    // The API wants a user to begin, and a new turn after each whole reply.
    if (last === undefined || (last.role === "assistant" && !last.isPaused)) push("user", {});
    const holdsCall = content.some((json) => json.startsWith('{"type":"tool_use"'));
    if (holdsCall) holdsTools = true;
    push("assistant", {
      rest: content.join(","),
      isPaused: holdsServerTool(message),
      startsWithThinking: /^\{"type":"(redacted_)?thinking"/.test(content[0] ?? ""),
      holdsCall,
    });
  }

  function push(role: Group["role"], parts: Partial<Group>): Group {
    const group = {
      role,
      results: "",
      rest: "",
      isPaused: false,
      startsWithThinking: false,
      holdsCall: false,
      ...parts,
    };
    open.push(group);
    return group;
  }

  /** Everything before the second to last user message can no longer change. */
  function settle(): void {
    const users = open.flatMap((group, index) => (group.role === "user" ? [index] : []));
    const done = users.at(-2) ?? 0;
    if (done === 0) return;
    bytes.append(
      open
        .splice(0, done)
        .map((group) => `${groupJson(group)},`)
        .join(""),
    );
  }

  return {
    add,
    settle,
    get finished() {
      return bytes.view();
    },
    tail() {
      const last = open.at(-1);
      const isAnswered = last?.role === "user" || last?.isPaused === true;
      const groups = isAnswered ? open : [...open, emptyUser];
      return groups
        .map((group) => (group.role === "user" ? marked(groupJson(group)) : groupJson(group)))
        .join(",");
    },
    get holdsTools() {
      return holdsTools;
    },
    get allowsThinking() {
      const last = open.findLast((group) => group.role === "assistant");
      return last === undefined || !last.holdsCall || last.startsWithThinking;
    },
  };
}

const emptyUser: Group = {
  role: "user",
  results: "",
  rest: "",
  isPaused: false,
  startsWithThinking: false,
  holdsCall: false,
};

const idRules = {
  provider,
  /** Source: the API's own error, "String should match pattern '^[a-zA-Z0-9_-]+$'". */
  sendable: /^[a-zA-Z0-9_-]{1,256}$/,
  made: (digits: string): string => `call_${digits}`,
};

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(",");

function groupJson({ role, results, rest }: Group): string {
  const content = joined([results, rest]);
  return `{"role":"${role}","content":[${content === "" ? goOn : content}]}`;
}

export const cacheMark = '"cache_control":{"type":"ephemeral"}';

/** The same message with a cache mark on its last block: it always ends in the three braces of that block. */
const marked = (json: string): string => `${json.slice(0, -3)},${cacheMark}}]}`;
