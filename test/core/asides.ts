// What happens beside the loop, and what cannot have happened.
import {
  backoffTimer,
  callId,
  deadlineTimer,
  defaultLimits,
  hash,
  inputId,
  jobId,
  openCalls,
  requestId,
  type Agent,
  type CallId,
  type Fact,
  type Remedy,
  type State,
} from "#core";

import type { Draws } from "./draws.ts";
import { future } from "./ends.ts";
import * as facts from "./facts.ts";

export const randomAgent = (choose: Draws): Agent => ({
  ...facts.agent,
  ...future,
  mode: choose.pick(["ask", "read-only", "edit", "bypass"]),
  limits: {
    ...defaultLimits,
    turns: choose.pick([1, 2, 3, 5, 8, 50]),
    costUsd: choose.pick([null, null, 0.05, 0.5]),
    tokens: choose.pick([null, null, null, 30_000]),
    toolCalls: choose.pick([null, null, 1, 4, 10]),
    timeMs: choose.pick([null, null, 60_000]),
  },
  window: choose.pick([null, null, 6000, 12_000]),
  cheapestInputUsd: choose.chance(0.1) ? null : 0.000_001,
  fallback: choose.pick([
    null,
    { model: "anthropic/small", window: 5000, maxOutputTokens: 500, cheapestInputUsd: null },
    { model: "gemini/large", window: 30_000, maxOutputTokens: 500, cheapestInputUsd: 0.000_001 },
  ]),
});

/** Facts of other places: jobs, sub-agents' budgets, settings, memory, hooks. */
export function aside(state: State, choose: Draws): readonly Fact[] {
  const jobs = Object.values(state.jobs);
  const reservations = Object.keys(state.budget.reserved) as CallId[];
  const reserved = reservations[0];
  const job = jobs[0];
  return choose.weighted<readonly Fact[]>([
    [2, [{ type: "agent.changed", agent: { limits: randomAgent(choose).limits } }]],
    [1, [{ type: "agent.changed", agent: { model: "openai/other", window: 9000 } }]],
    [
      2,
      [
        {
          type: "memory.changed",
          section: choose.pick(["notes", "__proto__"]),
          content: hash("m"),
        },
      ],
    ],
    [2, [{ type: "workspace.restored", paths: ["/repo/a.ts"], call: null }]],
    [2, [{ type: "hook.ran", point: "after_tool", call: null, note: "ok" }]],
    [1, [facts.resumed]],
    [
      job === undefined ? 0 : 6,
      job === undefined ? [] : [{ type: "job.ended", job: job.id, outcome: "exit 1" }],
    ],
    [
      reserved === undefined ? 0 : 6,
      reserved === undefined ? [] : [{ type: "budget.released", call: reserved, costUsd: 0.01 }],
    ],
  ]);
}

const remedies: readonly Remedy[] = [
  { type: "fall_back", model: "anthropic/small" },
  { type: "withhold", what: "reasoning" },
  { type: "withhold", what: "images" },
  { type: "tell", text: "That was no call." },
];

/** A fact out of place: mostly refused; where it is not, the laws hold all the same. */
export function wrong(state: State, choose: Draws): readonly Fact[] {
  const near = Math.max(1, state.count.requests + choose.pick([-1, 0, 0, 0, 1]));
  const open = openCalls(state).map((call) => call.id);
  const id = choose.pick([...open, ...open, callId(requestId(near), choose.below(3))]);
  const attempt = choose.pick([0, 1, 2, 3]);
  return [
    choose.pick<Fact>([
      facts.sessionStarted(),
      facts.prompted(state.count.inputs + choose.pick([0, 2])),
      facts.inputOf(state.count.inputs + 1, choose.pick(["continue", "compact"])),
      { type: "input.withdrawn", inputs: [inputId(state.count.inputs), inputId(99)] },
      facts.interrupt(choose.pick(["now", "graceful"])),
      facts.asked(near),
      facts.replied(near, [facts.call(choose.pick(["read", "write"]))]),
      { ...facts.replied(near, [facts.call("read")]), stamps: {} },
      facts.failed(near, choose.pick(["server", "auth"])),
      facts.failed(near, "server", { remedy: choose.pick(remedies) }),
      facts.requestLost(near),
      {
        type: "timer.fired",
        timer: choose.pick([backoffTimer(requestId(near)), deadlineTimer(state.prompt.seq)]),
      },
      {
        type: "context.compacted",
        from: choose.below(state.messages.length + 2) - 1,
        summary: "short",
        how: "summary",
      },
      facts.requestedEarly(near, choose.below(3), {
        tool: choose.pick(["read", "write", "nothing"]),
      }),
      facts.questioned(id),
      facts.decided(id, choose.pick(["allow", "deny"])),
      facts.decided(id, "allow", { edited: { input: {}, stamp: facts.stampOf("write") } }),
      facts.toolStarted(id, { attempt }),
      facts.toolFinished(id, { attempt }),
      facts.toolLost(id, attempt),
      facts.probed(id, choose.pick(["happened", "running", "did_not_happen", "undetermined"])),
      { type: "job.ended", job: jobId("nobody"), outcome: "" },
      { type: "budget.released", call: id, costUsd: 1 },
      JSON.parse('{"type":"future.happened"}'),
    ]),
  ];
}
