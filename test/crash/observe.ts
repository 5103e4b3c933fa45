import {
  isToolUse,
  type AssistantBlock,
  type CallId,
  type Fact,
  type Message,
  type UserBlock,
} from "#core";
import { readJournals, type JournalOnDisk } from "./journal.ts";
import { effectsFile } from "./scenario.ts";
import { effectsIn, type Workplace } from "./workplace.ts";

/** How a call ended, read from the facts alone. */
export type Fate = "ended" | "interrupted" | "undetermined" | "never_started" | "open";

export interface SeenCall {
  /** Same place in the conversation, same name: ids of requests count retries too. */
  readonly name: string;
  readonly id: CallId;
  readonly tool: string;
  readonly input: string;
  readonly fate: Fate;
  /** The result the model sees; null while there is none. */
  readonly result: { readonly isError: boolean; readonly text: string } | null;
  /** Number of the reply it stands in. */
  readonly reply: number;
}

/** What a run left behind, in a form that can be compared with another run. */
export interface Observation {
  readonly journal: JournalOnDisk | null;
  readonly calls: readonly SeenCall[];
  /** Everything in the conversation but results of calls, one string a message. */
  readonly talk: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Names of the commands that had their effect, in order. */
  readonly effects: readonly string[];
}

export function observe(place: Workplace): Observation {
  const [journal = null] = readJournals(place.home);
  const { [effectsFile]: _, ...files } = place.files();
  const withoutRoot = (text: string): string => text.replaceAll(place.root, "<root>");
  const messages = journal?.state.messages ?? [];
  return {
    journal,
    calls: callsIn(messages, journal?.facts ?? [], withoutRoot),
    talk: messages.map((message) => withoutRoot(talkOf(message))),
    files,
    effects: effectsIn(place.cwd),
  };
}

function callsIn(
  messages: readonly Message[],
  facts: readonly Fact[],
  clean: (text: string) => string,
): readonly SeenCall[] {
  const results = new Map(
    messages
      .flatMap(blocksOf)
      .flatMap((block) => (block.type === "tool_result" ? [[block.call, block] as const] : [])),
  );
  const replies = messages.filter((message) => message.role === "assistant");
  return replies.flatMap((message, reply) =>
    message.blocks.filter(isToolUse).map((block, index) => {
      const result = results.get(block.call);
      return {
        name: `${reply}.${index} ${block.tool}`,
        id: block.call,
        tool: block.tool,
        input: JSON.stringify(block.input),
        fate: fateOf(block.call, facts),
        result:
          result === undefined
            ? null
            : { isError: result.isError, text: clean(JSON.stringify(result.content)) },
        reply,
      };
    }),
  );
}

function fateOf(call: CallId, facts: readonly Fact[]): Fate {
  let fate: Fate = "never_started";
  for (const fact of facts) {
    if (!("call" in fact) || fact.call !== call) continue;
    if (fact.type === "permission.decided" && fact.verdict === "deny") fate = "ended";
    if (fact.type === "tool.started") fate = "open";
    if (fact.type === "tool.finished") fate = endOf(fact.outcome);
    if (fact.type !== "tool.probed") continue;
    if (fact.verdict === "undetermined") fate = "undetermined";
    if (fact.verdict === "happened") fate = endOf(fact.end?.outcome ?? "ok");
  }
  return fate;
}

const endOf = (outcome: string): Fate => (outcome === "interrupted" ? "interrupted" : "ended");

const blocksOf = ({ blocks }: Message): readonly (AssistantBlock | UserBlock)[] => blocks;

/** What the model and the user said, in words and calls. */
function talkOf(message: Message): string {
  const said = blocksOf(message)
    .filter((block) => block.type !== "tool_result")
    .map((block) => (block.type === "tool_use" ? [block.tool, block.input] : block));
  return `${message.role}: ${JSON.stringify(said)}`;
}
