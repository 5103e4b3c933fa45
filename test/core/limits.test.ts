import assert from "node:assert/strict";
import { test } from "node:test";

import {
  deadlineTimer,
  defaultLimits,
  isIllegal,
  isWarningTurn,
  nothingSpent,
  openCalls,
  plainText,
  resultOfRun,
  spentLimit,
  text,
  transition,
  type Fact,
  type Limits,
  type State,
  type TimerId,
} from "#core";

import { calm, drive, type World } from "./drive.ts";
import {
  after,
  agent,
  asked,
  call,
  decided,
  failed,
  inputOf,
  interrupt,
  nth,
  prompted,
  questioned,
  ran,
  replied,
  sessionStarted,
  told,
  toolFinished,
  toolStarted,
  withLimits,
  withHistory,
} from "./facts.ts";

/** Always one more call, never an answer. */
const restless: World = {
  ...calm,
  reply: ({ request, tools }) =>
    replied(
      Number(request.slice(1)),
      tools ? [text("next"), call("read")] : [text("handing over")],
    ),
};

const begun = (limits: Partial<Limits>): State => told(withLimits(limits), prompted(1));
const restlessRun = (limits: Partial<Limits>): State =>
  drive(begun(limits), { world: restless, mostFacts: 5000 }).end;

/** The state in which the first call of the n-th reply has ended. */
const worked = (state: State, ordinal: number, how: Parameters<typeof replied>[2] = {}): State =>
  after(state, asked(ordinal), replied(ordinal, [call("read")], how), ...ran(nth(ordinal, 0)));

const lastWords = (state: State): string => plainText(state.messages.at(-1)?.blocks ?? []);

test("R29 D1 D23 by default exactly 50 replies come, then the run says that the limit was reached", () => {
  const end = restlessRun({});
  const result = resultOfRun(end);
  assert.equal(end.prompt.turns, 50);
  assert.deepEqual([result.outcome, result.limit, result.turns], ["limit", "turns", 50]);
  assert.match(result.note ?? "", /^Stopped by itself at the limit of 50 turns\./);
});

test("R31 a limit of 5 and one of 500 hold to the turn", () => {
  assert.equal(restlessRun({ turns: 5 }).prompt.turns, 5);
  assert.equal(restlessRun({ turns: 500 }).prompt.turns, 500);
});

const unsound: readonly { readonly title: string; readonly turns: number }[] = [
  { title: "zero", turns: 0 },
  { title: "a negative number", turns: -1 },
  { title: "half a turn", turns: 2.5 },
  { title: "not a number", turns: Number.NaN },
  { title: "no end", turns: Number.POSITIVE_INFINITY },
];

for (const { title, turns } of unsound) {
  test(`R32 a limit of turns that is ${title} is the default instead`, () => {
    const started = told(withLimits({ turns }));
    assert.equal(started.agent.limits.turns, defaultLimits.turns);
    const changed: Fact = { type: "agent.changed", agent: { limits: { ...agent.limits, turns } } };
    assert.equal(after(told(sessionStarted()), changed).agent.limits.turns, defaultLimits.turns);
  });
}

test("R32 a limit of turns that is missing is the default", () => {
  const started = told(withLimits(JSON.parse('{"turns":null}') as Partial<Limits>));
  assert.equal(started.agent.limits.turns, 50);
});

test("R28 with turns, cost and interrupt all true the reason follows this order", () => {
  const atWork = (limits: Partial<Limits>): State =>
    after(
      begun(limits),
      asked(1),
      replied(1, [call("read")], { costUsd: 9 }),
      decided(nth(1, 0)),
      toolStarted(nth(1, 0)),
      interrupt("graceful"),
      toolFinished(nth(1, 0)),
    );
  const reason = (limits: Partial<Limits>): readonly unknown[] => {
    const { outcome, limit } = resultOfRun(atWork(limits));
    return [outcome, limit];
  };
  assert.deepEqual(reason({ turns: 1, costUsd: 1 }), ["limit", "turns"]);
  assert.deepEqual(reason({ costUsd: 1 }), ["limit", "cost"]);
  assert.deepEqual(reason({ tokens: 1 }), ["interrupted", null]);
  assert.deepEqual(reason({}), ["interrupted", null]);
});

test("R28 tokens stop the run once they are spent", () => {
  const end = worked(begun({ tokens: 110 }), 1);
  assert.deepEqual(resultOfRun(end).limit, "tokens");
});

test("R35 the run stops at the first reply that reaches the cost limit: overshoot is one reply at most", () => {
  const end = drive(begun({ costUsd: 0.025 }), { world: restless, mostFacts: 100 }).end;
  assert.equal(end.prompt.turns, 3);
  assert.equal(resultOfRun(end).limit, "cost");
  assert.ok(end.prompt.costUsd < 0.025 + 0.01);
});

test("R35 a request that cannot fit the cost limit is not sent", () => {
  const usd = { costUsd: 0.011, cheapestInputUsd: 0.000_01 };
  const limits = { ...agent.limits, costUsd: usd.costUsd };
  const state = told(
    sessionStarted({ limits, cheapestInputUsd: usd.cheapestInputUsd }),
    prompted(1),
  );
  assert.equal(resultOfRun(worked(state, 1)).limit, "cost");
});

test("R35 a limit of cost stops the run where a price is unknown, for then it would never bind", () => {
  const unpriced = worked(begun({ costUsd: 1 }), 1, { costUsd: null });
  assert.equal(resultOfRun(unpriced).limit, "cost");
  assert.match(
    resultOfRun(unpriced).note ?? "",
    /limit of \$1 cannot be kept, .* price is unknown/,
  );
  const other: Fact = {
    type: "agent.changed",
    agent: { model: "other/unheard-of", cheapestInputUsd: null },
  };
  const switched = worked(after(begun({ costUsd: 1 }), other), 1);
  assert.equal(resultOfRun(switched).limit, "cost");
  assert.match(resultOfRun(switched).note ?? "", /unknown \(model other\/unheard-of\)/);
  assert.equal(worked(after(begun({}), other), 1).phase.at, "thinking");
});

test("R35 what is set aside for sub-agents counts as spent, and comes back when it is released", () => {
  const spent = { ...nothingSpent, costUsd: 0.5 };
  const limits = { ...defaultLimits, costUsd: 1 };
  assert.equal(spentLimit(limits, spent, 0.4), null);
  assert.equal(spentLimit(limits, spent, 0.5), null);
  assert.equal(spentLimit(limits, spent, 0.6), "cost");
  const child = nth(1, 0);
  const held = after(begun({ costUsd: 1 }), { type: "budget.reserved", call: child, costUsd: 0.4 });
  const freed = after(held, { type: "budget.released", call: child, costUsd: 0.3 });
  assert.deepEqual(freed.budget.reserved, {});
  assert.deepEqual([freed.budget.costUsd, freed.prompt.costUsd], [0.3, 0.3]);
});

test("R35 failed attempts are charged, and stop the retries when they reach the limit", () => {
  const usage = { input: 10, output: 0, cacheRead: 0, cacheWrite: 0 };
  const failing = after(
    begun({ costUsd: 0.05 }),
    asked(1),
    failed(1, "server", { usage, costUsd: 0.06 }),
  );
  assert.deepEqual([failing.prompt.costUsd, failing.prompt.turns], [0.06, 0]);
  const retried = after(failing, { type: "timer.fired", timer: timerOf(failing) });
  assert.equal(resultOfRun(retried).limit, "cost");
});

const timerOf = ({ phase }: State): TimerId =>
  phase.at === "backing_off" ? phase.timer : assert.fail(phase.at);

test("R35 neither does a full window lead to a summary beyond the limit", () => {
  const full = replied(1, [text("so far")], { reason: "context_window", costUsd: 9 });
  assert.equal(
    resultOfRun(after(withHistory(begun({ costUsd: 1 })), asked(1), full)).limit,
    "cost",
  );
});

test("a reply without a price is counted as such and makes the cost unknown, never 0", () => {
  const end = after(begun({}), asked(1), replied(1, [text("done")], { costUsd: null }));
  assert.equal(end.prompt.unpriced, 1);
  assert.equal(resultOfRun(end).costUsd, null);
});

test("D1 at 80 % of the turns the model is told once how many remain", () => {
  const told10 = (state: State, ordinal: number): State => worked(state, ordinal);
  const seventh = [1, 2, 3, 4, 5, 6, 7].reduce(told10, begun({ turns: 10 }));
  assert.equal(lastWords(seventh), "");
  const eighth = worked(seventh, 8);
  assert.equal(
    lastWords(eighth),
    "[pawl] 8 of 10 turns are used; 2 remain, the last one without tools. Finish the most important part first.",
  );
});

test("D1 exactly one turn of each limit is the one with the warning", () => {
  const limits = Array.from({ length: 300 }, (_, index) => index + 1);
  const warned = limits.map((turns) =>
    limits.filter((spent) =>
      isWarningTurn({ ...defaultLimits, turns }, { ...nothingSpent, turns: spent }),
    ),
  );
  assert.deepEqual(
    warned,
    limits.map((turns) => [Math.ceil((turns * 4) / 5)]),
  );
});

test("D1 from the second turn on the last allowed reply is asked for without tools, and told so", () => {
  const last = worked(begun({ turns: 2 }), 1);
  assert.match(
    lastWords(last),
    /^\[pawl\] This is the last reply before a limit, and tools are off\./,
  );
  assert.ok(last.phase.at === "thinking" && last.phase.final);
});

test("D1 the only turn there is has its tools, and then the run ends", () => {
  const only = begun({ turns: 1 });
  assert.ok(only.phase.at === "thinking" && !only.phase.final);
  assert.deepEqual(resultOfRun(worked(only, 1)).limit, "turns");
});

test("R30 the run ends as a limit even when the last reply hands over, and the text says both", () => {
  const end = after(worked(begun({ turns: 2 }), 1), asked(2), replied(2, [text("Half is done.")]));
  const result = resultOfRun(end);
  assert.deepEqual([result.outcome, result.limit], ["limit", "turns"]);
  assert.deepEqual(result.stop, { reason: "end_turn", raw: "end_turn" });
  assert.match(
    JSON.stringify(result.text),
    /^"Half is done\.\\n\\nStopped by itself at the limit of 2 turns\./,
  );
});

test("D1 calls in the reply without tools are not run, and each has its result", () => {
  const end = after(
    worked(begun({ turns: 2 }), 1),
    asked(2),
    replied(2, [call("bash"), call("read")], { reason: "tool_use" }),
  );
  assert.deepEqual(resultOfRun(end).limit, "turns");
  assert.deepEqual(resultTexts(end), [
    "Not run: tools are off in this reply.",
    "Not run: tools are off in this reply.",
  ]);
});

const resultTexts = (state: State): readonly string[] =>
  (state.messages.at(-1)?.blocks ?? []).flatMap((block) =>
    block.type === "tool_result" ? [plainText(block.content)] : [],
  );

test("a limit that is raised while the last allowed reply streams does not end the run", () => {
  const last = after(worked(begun({ turns: 2 }), 1), asked(2));
  const raised = after(last, {
    type: "agent.changed",
    agent: { limits: { ...agent.limits, turns: 9 } },
  });
  const next = after(raised, replied(2, [call("read")], { reason: "tool_use" }));
  assert.equal(next.phase.at, "thinking");
  assert.deepEqual(resultTexts(next), ["Not run: tools are off in this reply."]);
  assert.equal(resultOfRun(after(raised, replied(2, [text("done")]))).outcome, "completed");
});

test("a refusal in the last allowed reply is a refusal", () => {
  const end = after(
    worked(begun({ turns: 2 }), 1),
    asked(2),
    replied(2, [text("no")], { reason: "refusal" }),
  );
  assert.equal(resultOfRun(end).outcome, "refused");
});

test("at the limit of tool calls the rest of a reply is not run, and the next reply hands over", () => {
  const state = after(
    begun({ toolCalls: 2 }),
    asked(1),
    replied(1, [call("read"), call("read"), call("read")]),
  );
  assert.deepEqual(
    openCalls(state).map((open) => open.status.at),
    ["requested", "requested", "settled"],
  );
  const next = after(state, ...ran(nth(1, 0)), ...ran(nth(1, 1)));
  assert.equal(resultTexts(next)[2], "Not run: the limit of tool calls is reached.");
  assert.ok(next.phase.at === "thinking" && next.phase.final);
  const end = after(next, asked(2), replied(2, [text("over")]));
  assert.equal(resultOfRun(end).limit, "tool_calls");
  assert.equal(resultOfRun(end).toolCalls, 2);
});

test("the wall-clock limit ends what runs and is the reason, even after an interrupt", () => {
  const atWork = after(
    begun({ timeMs: 10_000 }),
    asked(1),
    replied(1, [call("bash")]),
    decided(nth(1, 0)),
    toolStarted(nth(1, 0)),
  );
  const timeUp = after(atWork, { type: "timer.fired", timer: deadlineTimer(atWork.prompt.seq) });
  assert.equal(timeUp.interrupt, "now");
  const end = after(timeUp, toolFinished(nth(1, 0), { outcome: "interrupted" }));
  assert.deepEqual([resultOfRun(end).outcome, resultOfRun(end).limit], ["limit", "time"]);
});

test("R25 the counters of a prompt survive pause and resume and start anew with the next prompt", () => {
  const paused: State = JSON.parse(JSON.stringify(worked(begun({ turns: 3 }), 1)));
  const second = worked(paused, 2);
  assert.equal(second.prompt.turns, 2);
  const end = after(second, asked(3), replied(3, [text("over")]), prompted(2));
  assert.deepEqual([end.prompt.turns, end.prompt.toolCalls, end.budget.turns], [0, 0, 3]);
});

test("D1 after a limit the run can be continued from where it stands", () => {
  const end = worked(begun({ turns: 1 }), 1);
  const more: Fact = { type: "agent.changed", agent: { limits: { ...agent.limits, turns: 10 } } };
  const next = after(end, more, inputOf(2, "continue"));
  assert.equal(next.phase.at, "thinking");
  assert.deepEqual(next.messages, end.messages);
});

test("input that is queued when a limit or a failure ends the run waits for the user", () => {
  const queued = after(
    begun({ turns: 1 }),
    asked(1),
    replied(1, [call("read")]),
    prompted(2, "and then?"),
  );
  const end = after(queued, ...ran(nth(1, 0)));
  assert.deepEqual([end.phase.at, end.inbox.length], ["stopped", 1]);
  const next = after(end, inputOf(3, "continue"));
  assert.equal(lastWords(next), "and then?");
});

test("time spent waiting for a person, or between two processes, does not count", () => {
  const waiting = after(begun({}), asked(1), replied(1, [call("bash")]), {
    type: "permission.asked",
    call: nth(1, 0),
    rule: "r",
    because: null,
    reason: "why",
  });
  const { activeMs } = waiting.prompt;
  assert.equal(activeMs, 3000);
  const answered = after({ ...waiting, at: waiting.at + 3_600_000 }, decided(nth(1, 0)));
  assert.equal(answered.prompt.activeMs, activeMs);
  const resumed = after(
    { ...answered, at: answered.at + 3_600_000 },
    { type: "session.resumed", program: "p", cwd: "/repo", gitHead: null },
  );
  assert.equal(resumed.prompt.activeMs, activeMs);
});

test("time counts while a read runs beside a question", () => {
  const both = after(
    begun({}),
    asked(1),
    replied(1, [call("read"), call("read")]),
    decided(nth(1, 0)),
    toolStarted(nth(1, 0)),
    questioned(nth(1, 1)),
  );
  assert.equal(after(both, toolFinished(nth(1, 0))).prompt.activeMs, both.prompt.activeMs + 1000);
});

test("a clock that is set back adds no time", () => {
  const state = begun({});
  const back = transition(state, { at: state.at - 99_000, fact: asked(1) });
  assert.ok(!isIllegal(back));
  assert.equal(back.prompt.activeMs, state.prompt.activeMs);
});
