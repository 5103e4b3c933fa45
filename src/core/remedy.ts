import { canCompact, visible } from "./context.ts";
import type { AgentModel, FactOf, Remedy } from "./event.ts";
import { retryDelayMs, type Failure, type FailureClass } from "./failure.ts";
import { illegal, type Illegal } from "./illegal.ts";
import { text } from "./message.ts";
import { modelInUse } from "./model-in-use.ts";
import type { Asking, State } from "./state.ts";
import { withMessage } from "./turn.ts";
import { holds, isReasoning, type Withheld } from "./withhold.ts";

/** With a fallback at hand nobody wants to wait longer than this for the first model. */
const longestWaitWithFallbackMs = 60_000;
/** Replies in a row with a call the provider cannot read, before the model is given up. */
const maxBadCalls = 1;

/**
 * What is to be done about the failure of the request that streams, beside asking the same again after a while; null
 * for nothing. A pure function: its answer is recorded with the failure, so that a resume does the same.
 */
export function remedyFor(
  state: State,
  failed: Pick<FactOf<"request.failed">, "failure" | "jitter">,
): Remedy | null {
  const asking = askingOf(state);
  if (asking === null || state.interrupt !== null) return null;
  const remedies = [changed(state, failed.failure), fallBack(state, asking, failed)];
  return remedies.find((remedy) => remedy !== null && problemWith(state, remedy) === null) ?? null;
}

function askingOf({ phase }: State): Asking | null {
  if (phase.at === "thinking") return phase;
  return phase.at === "compacting" && phase.step === "summarise" ? phase : null;
}

/** The same model may take another form of the request. */
function changed(state: State, { class: kind, about, message }: Failure): Remedy | null {
  if (about === "images") return { type: "withhold", what: "images" };
  if (kind === "broken_history") return { type: "withhold", what: "reasoning" };
  return kind === "bad_tool_call" && state.phase.at === "thinking"
    ? { type: "tell", text: badCallText(message) }
    : null;
}

const badCallText = (message: string): string =>
  `[pawl] Your last reply was lost: it held a tool call that could not be read (${message.slice(0, 500)}). Nothing was ` +
  "run. Send the call again, as one JSON object that fits the tool's schema.";

/** Another model may answer where this one does not, once trying again is over or would take too long. */
function fallBack(
  state: State,
  asking: Asking,
  { failure, jitter }: Pick<FactOf<"request.failed">, "failure" | "jitter">,
): Remedy | null {
  const { fallback } = state.agent;
  if (fallback === null || !mayHelp(state, failure, fallback)) return null;
  const delayMs = retryDelayMs(failure, asking, jitter);
  return delayMs === null || delayMs > longestWaitWithFallbackMs
    ? { type: "fall_back", model: fallback.model }
    : null;
}

const providerOf = ({ model }: AgentModel): string => model.slice(0, model.indexOf("/"));

/** Whether another model can do anything about it. */
function mayHelp(state: State, failure: Failure, fallback: AgentModel): boolean {
  const own = modelInUse(state);
  const isElsewhere = providerOf(own) !== providerOf(fallback);
  switch (failure.class) {
    case "rate_limit":
    case "overloaded":
    case "server":
    case "network":
    case "stall":
    case "truncated":
    case "not_found":
    case "bad_tool_call":
      return true;
    // Key, account and reading of the history are the same for every model of a provider.
    case "auth":
    case "billing":
    case "broken_history":
      return isElsewhere;
    case "context_overflow":
      return !canCompact(state) && isLarger(fallback, own);
    // What a filter stopped is not carried to another door; a certificate is mended, not walked around; and a fault of
    // the request or the program would be hidden.
    case "content_filter":
    case "tls":
    case "invalid_request":
    case "bad_answer":
    case "aborted":
    case "internal":
      return false;
    default:
      return failure.class satisfies never;
  }
}

const isLarger = (one: AgentModel, other: AgentModel): boolean =>
  one.window !== null && other.window !== null && one.window > other.window;

/** Why a remedy cannot be used (any more); null when it can. Each can be used only so often: a loop always ends. */
function problemWith(state: State, remedy: Remedy): string | null {
  switch (remedy.type) {
    case "fall_back": {
      const { agent, prompt } = state;
      if (prompt.fellBack) return "the fallback has stepped in already";
      const isOther = agent.fallback?.model === remedy.model && remedy.model !== agent.model;
      return isOther ? null : `${remedy.model} is not the fallback`;
    }
    case "withhold":
      return holds(visible(state), remedy.what) ? null : `there is no ${remedy.what} to withhold`;
    case "tell":
      return state.phase.at === "thinking" && state.prompt.badCalls < maxBadCalls
        ? null
        : "the model has been told already";
    default:
      return remedy satisfies never;
  }
}

/** The state with the remedy in it; the request is still to be asked anew. */
export function withRemedy(state: State, remedy: Remedy): State | Illegal {
  const problem = problemWith(state, remedy);
  if (problem !== null) return illegal(problem);
  const seq = state.seq + 1;
  const warned = withWarning(state, remedyNote(state, remedy));
  switch (remedy.type) {
    case "fall_back":
      return { ...warned, prompt: { ...warned.prompt, fellBack: true } };
    case "withhold":
      return { ...warned, withheld: { ...warned.withheld, [remedy.what]: seq } };
    case "tell": {
      const told = { ...warned, prompt: { ...warned.prompt, badCalls: state.prompt.badCalls + 1 } };
      return withMessage(told, { role: "user", blocks: [text(remedy.text)], seq });
    }
    default:
      return remedy satisfies never;
  }
}

export const withWarning = (state: State, warning: string): State => ({
  ...state,
  prompt: { ...state.prompt, warnings: [...state.prompt.warnings, warning] },
});

const withheldNote: Readonly<Record<Withheld, string>> = {
  reasoning:
    "The provider did not take the conversation as it was: reasoning in it is left out from now on.",
  images:
    "The provider refused an image: the images so far are left out of the conversation from now on.",
};

function remedyNote(state: State, remedy: Remedy): string {
  switch (remedy.type) {
    case "fall_back":
      return `${modelInUse(state).model} cannot be had: ${remedy.model} goes on with this prompt.`;
    case "withhold":
      return withheldNote[remedy.what];
    case "tell":
      return "The provider could not read a call of the model: it was told, and asked again.";
    default:
      return remedy satisfies never;
  }
}

/** True when the conversation holds reasoning that this model does not get: only who wrote it can read it. */
export const leavesOutReasoning = (state: State, model: string): boolean =>
  visible(state).some(
    (message) =>
      message.role === "assistant" && message.model !== model && message.blocks.some(isReasoning),
  );

export const reasoningLeftOut = (model: string): string =>
  `Reasoning that another model wrote is not sent to ${model}: only its author can read it.`;

/** What the user can do when nothing helped, where the provider's own words do not say it; empty where they do. */
export const lastAdvice = ({ class: kind }: Failure): string => lastAdvices[kind] ?? "";

const lastAdvices: Readonly<Partial<Record<FailureClass, string>>> = {
  broken_history:
    " Go on with another model, or fork the session at an earlier step: nothing of it is lost.",
  context_overflow:
    " Nothing more can be cut from it. Begin a new session with less in its prompt, or go on with a model that has a larger window.",
  bad_tool_call:
    " It was told and did it again. Say the task in another way, or go on with another model.",
};
