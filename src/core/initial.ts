import { defaultLimits, nothingSpent } from "./budget.ts";
import { rulesVersion } from "./event.ts";
import { hash, sessionId } from "./id.ts";
import type { Prompt, State } from "./state.ts";

/** What every prompt begins with. */
export const freshPrompt: Omit<Prompt, "seq" | "startedAt"> = {
  ...nothingSpent,
  activeMs: 0,
  answer: "",
  answerSchema: null,
  answerFits: false,
  misfits: 0,
  warnings: [],
  denials: [],
  cutReplies: 0,
  pauses: 0,
  badCalls: 0,
  compactions: 0,
  fellBack: false,
  timeUp: false,
};

/** The state before the first fact, which must be `session.started`. */
export const emptyState: State = {
  v: 1,
  rules: rulesVersion,
  seq: 0,
  at: 0,
  sessionId: sessionId(""),
  parent: null,
  forkOf: null,
  cwd: "",
  gitHead: null,
  agent: {
    model: "",
    mode: "ask",
    limits: defaultLimits,
    window: null,
    maxOutputTokens: 0,
    thinking: null,
    cheapestInputUsd: null,
    fallback: null,
    tools: hash(""),
    sections: {},
  },
  messages: [],
  cut: null,
  withheld: { reasoning: 0, images: 0 },
  inbox: [],
  phase: { at: "idle" },
  interrupt: null,
  prompt: {
    ...freshPrompt,
    seq: 0,
    startedAt: 0,
  },
  budget: { ...nothingSpent, reserved: {} },
  grants: [],
  filesModified: [],
  docs: {},
  jobs: {},
  count: { requests: 0, inputs: 0 },
  contextTokens: 0,
  lastModel: null,
};
