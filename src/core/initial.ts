import { defaultLimits, nothingSpent } from "./budget.ts";
import { rulesVersion } from "./event.ts";
import { hash, sessionId } from "./id.ts";
import type { State } from "./state.ts";

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
    cheapestInputUsd: null,
    tools: hash(""),
    sections: {},
  },
  messages: [],
  cut: null,
  inbox: [],
  phase: { at: "idle" },
  interrupt: null,
  prompt: {
    ...nothingSpent,
    seq: 0,
    startedAt: 0,
    activeMs: 0,
    answer: "",
    warnings: [],
    denials: [],
    cutReplies: 0,
    pauses: 0,
    compactions: 0,
    timeUp: false,
  },
  budget: { ...nothingSpent, reserved: {} },
  grants: [],
  filesModified: [],
  docs: {},
  jobs: {},
  count: { requests: 0, inputs: 0 },
  contextTokens: 0,
};
