import type { Message } from "#core";
import type { ModelRequest } from "#runtime";

/** A conversation in the form of one wire, which grows message by message. */
export interface KeptConversation {
  add(message: Message): void;
  /** Everything the request holds has been added. */
  settle(): void;
}

/**
 * Finds the conversation a request goes on with, by the identity of its messages, adds what is new in it, and begins
 * another when it is not what came before and more. Work and memory of a request are those of its new messages; the
 * serialised form of the others is kept as long as their first message lives.
 */
export function keptConversations<Talk extends KeptConversation>(
  begin: (model: string) => Talk,
): (request: Pick<ModelRequest, "model" | "messages">) => Talk {
  const byFirst = new WeakMap<Message, Kept<Talk>>();
  return ({ model, messages }) => {
    const [first] = messages;
    const found = first === undefined ? undefined : byFirst.get(first);
    const goesOn = found?.model === model && isContinued(found.known, messages);
    const kept = goesOn ? found : { model, talk: begin(model), known: [] };
    for (const message of messages.slice(kept.known.length)) {
      kept.talk.add(message);
      kept.known.push(message);
    }
    kept.talk.settle();
    if (first !== undefined) byFirst.set(first, kept);
    return kept.talk;
  };
}

interface Kept<Talk> {
  readonly model: string;
  readonly talk: Talk;
  readonly known: Message[];
}

/** Asked before every request: a plain loop, ten times quicker than a callback for each message. */
function isContinued(known: readonly Message[], messages: readonly Message[]): boolean {
  for (let index = 0; index < known.length; index += 1) {
    if (known[index] !== messages[index]) return false;
  }
  return true;
}
