import type { AssistantMessage, Message } from "#core";
import { assistantContent, holdsServerTool, textJson, userContent } from "./content.ts";
import { wireIds } from "./wire-ids.ts";

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
export interface Conversation {
  /** The model it is written for: only what that model thought goes back to it. */
  readonly model: string;
  /** Appends what is new. False when `messages` is not what came before and more: start another one. */
  follow(messages: readonly Message[]): boolean;
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

export function conversation(model: string): Conversation {
  const ids = wireIds();
  const known: Message[] = [];
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
    model,
    follow(messages) {
      if (!isContinued(known, messages)) return false;
      for (const message of messages.slice(known.length)) {
        add(message);
        known.push(message);
      }
      settle();
      return true;
    },
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

/** Asked before every request: a plain loop, ten times quicker than a callback for each message. */
function isContinued(known: readonly Message[], messages: readonly Message[]): boolean {
  for (let index = 0; index < known.length; index += 1) {
    if (known[index] !== messages[index]) return false;
  }
  return true;
}

const emptyUser: Group = {
  role: "user",
  results: "",
  rest: "",
  isPaused: false,
  startsWithThinking: false,
  holdsCall: false,
};

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(",");

function groupJson({ role, results, rest }: Group): string {
  const content = joined([results, rest]);
  return `{"role":"${role}","content":[${content === "" ? goOn : content}]}`;
}

export const cacheMark = '"cache_control":{"type":"ephemeral"}';

/** The same message with a cache mark on its last block: it always ends in the three braces of that block. */
const marked = (json: string): string => `${json.slice(0, -3)},${cacheMark}}]}`;

/** Bytes that only grow; a view stays as it is when more are appended. */
function growingBytes(): { append(text: string): void; view(): Uint8Array } {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    append(text) {
      const added = Buffer.byteLength(text);
      if (length + added > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, length + added, 16_384));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
    },
    view: () => buffer.subarray(0, length),
  };
}
