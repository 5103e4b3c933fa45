import { type Because, sentenceOf } from "./because.ts";
import { openCalls } from "./call-facts.ts";
import type { Command, Refusal, RefusalCode } from "./command.ts";
import type { Fact, FactOf } from "./event.ts";
import { type CallId, inputId, type InputId } from "./id.ts";
import { grantFor } from "./permission.ts";
import { isRunning, type State } from "./state.ts";

/** May the user do this now, and what has then happened? A refusal changes nothing. */
export function admit(state: State, command: Command): readonly Fact[] | Refusal {
  switch (command.type) {
    case "prompt":
      return isEmpty(command.blocks)
        ? refuse("empty_prompt", "The prompt is empty. Write what you want done.")
        : [prompt(state, command)];
    case "continue":
      return state.phase.at === "stopped"
        ? [input(state, "continue", [])]
        : refuse("nothing_to_continue", "There is no stopped run to go on with. Send a prompt.");
    case "compact":
      return state.phase.at === "stopped"
        ? [input(state, "compact", [])]
        : refuse("busy", "The context can be compacted when the run has stopped.");
    case "withdraw":
      return areQueued(state, command.inputs)
        ? [{ type: "input.withdrawn", inputs: [...new Set(command.inputs)] }]
        : refuse("no_such_input", "That input is not queued any more: the model has it already.");
    case "interrupt":
      return interrupt(state, command.now ? "now" : "graceful");
    case "answer":
      return answer(state, command);
    case "judge":
      return judged(state, command);
    case "change_agent":
      return [{ type: "agent.changed", agent: command.agent }];
    default:
      return command satisfies never;
  }
}

export const isRefusal = (admitted: readonly Fact[] | Refusal): admitted is Refusal =>
  "refused" in admitted;

const refuse = (refused: RefusalCode, message: string): Refusal => ({ refused, message });

const isEmpty = (blocks: FactOf<"input.received">["blocks"]): boolean =>
  blocks.every(
    (block) => block.type === "text" && typeof block.text === "string" && block.text.trim() === "",
  );

const areQueued = (state: State, inputs: readonly InputId[]): boolean =>
  inputs.length > 0 && inputs.every((id) => state.inbox.some((queued) => queued.id === id));

const input = (
  state: State,
  kind: FactOf<"input.received">["kind"],
  blocks: FactOf<"input.received">["blocks"],
): FactOf<"input.received"> => ({
  type: "input.received",
  input: inputId(state.count.inputs + 1),
  kind,
  blocks,
});

function prompt(state: State, command: Extract<Command, { type: "prompt" }>): Fact {
  const { blocks, answerSchema } = command;
  const received = input(state, "prompt", blocks);
  return answerSchema === undefined ? received : { ...received, answerSchema };
}

/** Queued input goes back to the editor first: after an interrupt nothing is sent by itself. */
function interrupt(state: State, how: "graceful" | "now"): readonly Fact[] | Refusal {
  if (!isRunning(state)) return refuse("nothing_to_stop", "Nothing runs.");
  if (state.interrupt === "now") {
    return refuse("nothing_to_stop", "Everything is being stopped already.");
  }
  const requested: Fact = { type: "interrupt.requested", now: how === "now" };
  if (state.inbox.length === 0) return [requested];
  return [{ type: "input.withdrawn", inputs: state.inbox.map((queued) => queued.id) }, requested];
}

const isOpenQuestion = (state: State, id: CallId): boolean =>
  openCalls(state).some((call) => call.id === id && call.status.at === "asked");

const noSuchQuestion = (id: CallId): Refusal =>
  refuse("no_such_question", `There is no open question about call ${id}.`);

/** The record names the rule, the mode or the missing person that decided, never the user. */
function judged(
  state: State,
  { call, decision }: Extract<Command, { type: "judge" }>,
): readonly Fact[] | Refusal {
  if (!isOpenQuestion(state, call)) return noSuchQuestion(call);
  const { verdict, ...why } = decision;
  return verdict === "ask"
    ? refuse("still_a_question", `Call ${call} still has to be asked about.`)
    : [{ type: "permission.decided", call, verdict, ...why, edited: null, grant: null }];
}

function answer(
  state: State,
  command: Extract<Command, { type: "answer" }>,
): readonly Fact[] | Refusal {
  const call = openCalls(state).find((open) => open.id === command.call);
  if (call?.status.at !== "asked") return noSuchQuestion(command.call);
  const allow = command.verdict === "allow";
  const { tool, stamp, status } = call;
  const grant =
    allow && command.scope === "session" && "access" in stamp
      ? grantFor({ tool, access: stamp.access, resources: stamp.resources, rule: status.rule })
      : null;
  const said: Because | null =
    command.reason === "" ? { type: "answer", verdict: command.verdict } : null;
  return [
    {
      type: "permission.decided",
      call: call.id,
      verdict: command.verdict,
      by: "user",
      rule: grant === null ? "user:answer" : "user:session",
      reason: said === null ? command.reason : sentenceOf(said),
      because: said,
      edited: command.edited ?? null,
      grant,
    },
  ];
}
