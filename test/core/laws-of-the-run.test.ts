import assert from "node:assert/strict";
import { test } from "node:test";

import {
  admit,
  isIllegal,
  isRefusal,
  isRunning,
  judgeReply,
  modelInUse,
  openCalls,
  outstanding,
  sameJson,
  text,
  totalTokens,
  transition,
  visible,
  type Call,
  type Fact,
  type FactType,
  type State,
} from "#core";
import { lostFacts } from "#runtime";

import { after, call, forkedTo, inputOf, prompted, replied, resumed } from "./facts.ts";
import { calm, drive, obedient, type World } from "./drive.ts";
import { eachHistory, everyNth, type Step } from "./history.ts";
import { conversationFault } from "./wire.ts";

/** A model that never has enough. */
const greedy: World = {
  ...calm,
  reply: ({ request, purpose, tools }) =>
    replied(
      Number(request.slice(1)),
      purpose === "turn" ? [call("read"), call("write"), call("bash")] : [text("summary")],
      {
        costUsd: 0.02,
        usage: { input: 900, output: 90, cacheRead: 0, cacheWrite: 0 },
        reason: tools ? "tool_use" : "end_turn",
      },
    ),
};

/** Enough for 50 turns of three calls with a summary after each. */
const mostFacts = 1500;

test("L4 R29 R35 limits stop every run, whatever the model wants: no request is sent beyond one", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(25, states)) {
      if (state.seq === 0) continue;
      const {
        stamped,
        states: passed,
        end,
      } = drive(withPrompt(state), { world: greedy, mostFacts });
      assert.equal(end.phase.at, "stopped");
      for (const [index, { fact }] of stamped.entries()) {
        const before = passed[index];
        if (before === undefined || fact.type !== "request.started" || index === 0) continue;
        const { limits } = before.agent;
        const { turns, costUsd, usage, timeUp } = before.prompt;
        assert.ok(fact.purpose === "compaction" || turns < limits.turns);
        assert.ok(costUsd < (limits.costUsd ?? Infinity) || isAfterStop(before));
        assert.ok(totalTokens(usage) < (limits.tokens ?? Infinity) || isAfterStop(before));
        assert.equal(timeUp && !isAfterStop(before), false);
      }
    }
  });
});

/** A summary that the user asked for when the run had stopped. */
const isAfterStop = ({ phase }: State): boolean =>
  phase.at === "compacting" && phase.after.at === "stopped";

const withPrompt = (state: State): State =>
  isRunning(state) ? state : after(state, prompted(state.count.inputs + 1));

test("L4 no more calls start than the limit of tool calls, and active time ends at its limit", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(40, states)) {
      if (isRunning(state) || state.seq === 0) continue;
      const { stamped, end } = drive(withPrompt(state), { world: greedy, mostFacts });
      const started = stamped.filter(({ fact }) => fact.type === "tool.started").length;
      const { toolCalls, timeMs } = end.agent.limits;
      assert.ok(started <= (toolCalls ?? Infinity), `${started} calls`);
      assert.ok(end.prompt.activeMs <= (timeMs ?? Infinity) + 10_000, `${end.prompt.activeMs} ms`);
    }
  });
});

test("L5 what is outstanding is what was begun and has not ended", () => {
  eachHistory(({ steps }) => {
    let ledger: ReadonlySet<string> = new Set();
    for (const step of steps) {
      if (step.after === null) continue;
      ledger = book(ledger, step);
      assert.deepEqual(begunEffects(step.after), ledger);
    }
  });
});

const begunEffects = (state: State): ReadonlySet<string> =>
  new Set(
    outstanding(state)
      .filter(
        (effect) =>
          effect.type === "ask" || effect.type === "probe" || ("begun" in effect && effect.begun),
      )
      .map((effect) => effect.id)
      .toSorted(),
  );

/** Books one fact by what it says alone: which effect it begins, which it ends, what falls away with it. */
function book(
  ledger: ReadonlySet<string>,
  { before, stamped, after: next }: Step,
): ReadonlySet<string> {
  const open = new Set(ledger);
  const drop = (...prefixes: readonly string[]): void => {
    for (const id of open) if (prefixes.some((prefix) => id.startsWith(prefix))) open.delete(id);
  };
  const { fact } = stamped;
  switch (fact.type) {
    case "request.started":
      open.add(`model:${fact.request}`);
      break;
    case "request.failed":
    case "request.lost":
      drop(`model:${fact.request}`, `run:${fact.request}-`);
      break;
    case "response.received":
      drop(`model:${fact.request}`);
      for (const early of openCalls(before))
        if (!isTakenOver(early, before, fact)) drop(`run:${early.id}#`);
      break;
    case "permission.asked":
      open.add(`ask:${fact.call}`);
      break;
    case "permission.decided":
      drop(`ask:${fact.call}`);
      break;
    case "tool.started":
      open.add(`run:${fact.call}#${fact.attempt}`);
      break;
    case "tool.finished":
      drop(`run:${fact.call}#`);
      break;
    case "tool.lost": {
      drop(`run:${fact.call}#`);
      const recovery = recoveryOf(openCalls(before).find((one) => one.id === fact.call));
      if (recovery === "probe") open.add(`probe:${fact.call}#${fact.attempt}`);
      break;
    }
    case "tool.probed": {
      const attempt = openCalls(before).find((one) => one.id === fact.call)?.attempt ?? 0;
      drop(`probe:${fact.call}#`);
      if (fact.verdict === "running") open.add(`run:${fact.call}#${attempt + 1}`);
      break;
    }
    case "interrupt.requested":
    case "timer.fired":
      if (next?.interrupt !== null || !isRunning(next)) drop("ask:");
      break;
    case "session.forked":
      open.clear();
      break;
    case "session.started":
    case "session.resumed":
    case "agent.changed":
    case "input.received":
    case "input.withdrawn":
    case "context.compacted":
    case "tool.requested":
    case "job.started":
    case "job.ended":
    case "budget.reserved":
    case "budget.released":
    case "memory.changed":
    case "workspace.restored":
    case "hook.ran":
      break;
    default:
      fact satisfies never;
  }
  return new Set([...open].toSorted());
}

const recoveryOf = (lost: Call | undefined): string | null =>
  lost?.status.at === "started" ? lost.status.recovery : null;

/** The reply holds the same call in the same place, all before it too, and the table does not refuse it. */
function isTakenOver(
  early: Call,
  before: State,
  fact: Extract<Fact, { type: "response.received" }>,
): boolean {
  const uses = fact.blocks.filter((block) => block.type === "tool_use");
  const judged = judgeReply(fact.blocks, fact.stop);
  if (judged.next === "compact" || judged.refused[early.id] !== undefined) return false;
  for (const known of openCalls(before)) {
    const use = uses.find((block) => block.call === known.id);
    if (use?.tool !== known.tool || !sameJson(use.input, known.input)) return false;
    if (known.id === early.id) return true;
  }
  return false;
}

test("[C13] a request that was too long for the window is never sent again as it was", () => {
  eachHistory(({ steps }) => {
    let refused: { readonly state: State; readonly model: string } | null = null;
    for (const { before, stamped, after: next, from } of steps) {
      if (next === null) continue;
      const { fact } = stamped;
      // The driver cuts where something can be cut; a fact out of place may cut nothing.
      if (fact.type === "context.compacted" && from === "wrong") refused = null;
      if (fact.type === "input.received" || fact.type === "agent.changed") refused = null;
      if (fact.type === "request.failed" && fact.failure.class === "context_overflow") {
        refused = { state: before, model: modelInUse(before).model };
      }
      const isTurn = fact.type === "request.started" && before.phase.at === "thinking";
      if (!isTurn || refused === null) continue;
      const isSame = refused.model === modelInUse(before).model;
      if (isSame) assert.notDeepEqual(visible(before), visible(refused.state));
      refused = null;
    }
  });
});

test("L5 recovery stores nothing: the folded facts alone say what is owed", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(20, states)) {
      const read: State = JSON.parse(JSON.stringify(state));
      assert.deepEqual(outstanding(read), outstanding(state));
    }
  });
});

test("L5 the same work never has two ids, and two works never have one", () => {
  eachHistory(({ states }) => {
    for (const state of states) {
      const ids = outstanding(state).map((effect) => effect.id);
      assert.equal(new Set(ids).size, ids.length);
    }
  });
});

test("L10 a fork at any point goes on with a conversation that is valid for the wire", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(8, states)) {
      if (state.seq === 0) continue;
      const fork = after(state, forkedTo(state.seq));
      assert.equal(isRunning(fork), false);
      assert.deepEqual(fork.budget.reserved, {});
      assert.equal(conversationFault(visible(withPrompt(fork))), null);
    }
  });
});

test("R36 [S01] an interrupt now ends the run as soon as everything under way has ended", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(7, states)) {
      const facts = admit(state, { type: "interrupt", now: true });
      if (isRefusal(facts)) continue;
      const told = after(state, ...facts);
      const mostSteps = 3 * openCalls(told).length + 3;
      const { end } = drive(told, { world: obedient, mostFacts: mostSteps });
      assert.equal(end.phase.at, "stopped");
      const { phase } = state;
      const isSummary = phase.at === "compacting" || phase.at === "backing_off";
      // A summary that was asked for at a stop leaves the run as it had ended.
      const before = isSummary && phase.after.at === "stopped" ? phase.after.outcome : null;
      if (before === null) assert.match(end.phase.outcome, /^(interrupted|limit)$/);
      else assert.equal(end.phase.outcome, before);
      assert.equal(end.prompt.seq, state.prompt.seq);
      assert.deepEqual(end.inbox, []);
      const goesOn = after(end, prompted(end.count.inputs + 1));
      assert.equal(conversationFault(visible(goesOn)), null);
    }
  });
});

test("R36 [S20, S22] once interrupted nothing begins any more, and no queued input starts by itself", () => {
  const beginnings: readonly FactType[] = [
    "request.started",
    "tool.started",
    "permission.asked",
    "tool.requested",
  ];
  eachHistory(({ steps }) => {
    for (const { before, stamped, after: next } of steps) {
      if (next === null) continue;
      if (before.interrupt !== null) {
        assert.ok(
          !beginnings.includes(stamped.fact.type),
          `${stamped.fact.type} after an interrupt`,
        );
        const waiting = openCalls(before).map((open) => open.status.at);
        assert.ok(waiting.every((at) => at === "started" || at === "unknown" || at === "settled"));
      }
      if (stamped.fact.type === "interrupt.requested") {
        assert.equal(next.prompt.seq, before.prompt.seq);
      }
    }
  });
});

test("R74 R86 killed anywhere, again and again, a run ends and no change is made twice", () => {
  eachHistory(({ facts, states }) => {
    for (const state of everyNth(9, states)) {
      const killed = (step: number, at: State): readonly Fact[] =>
        step % 4 === 0 ? [resumed, ...lostFacts(at, "so far")] : [];
      const { stamped, end } = drive(state, { world: calm, mostFacts, before: killed });
      assert.equal(isRunning(end), false);
      const whole = [...facts.slice(0, state.seq), ...stamped].map((one) => one.fact);
      assertNothingTwice(whole);
    }
  });
});

/** A call that changes something starts again only when it was found not to have happened. */
function assertNothingTwice(facts: readonly Fact[]): void {
  const begun = new Set<string>();
  for (const fact of facts) {
    if (fact.type === "tool.probed" && fact.verdict === "did_not_happen") begun.delete(fact.call);
    if (fact.type !== "tool.started" || fact.recovery === "rerun") continue;
    assert.ok(!begun.has(fact.call), `${fact.call} runs twice`);
    begun.add(fact.call);
  }
}

test("[S04] a call that was under way when the process died never stays so", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(7, states)) {
      if (state.seq === 0) continue;
      const found = after(state, resumed, ...lostFacts(state, ""));
      const stuck = outstanding(found).filter((effect) => "begun" in effect && effect.begun);
      assert.deepEqual(stuck, []);
    }
  });
});

test("what may be continued can be continued from any stop", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(5, states)) {
      if (state.phase.at !== "stopped") continue;
      const next = after(state, inputOf(state.count.inputs + 1, "continue"));
      assert.equal(conversationFault(visible(next)), null);
      assert.ok(visible(next).length > 0);
    }
  });
});

test("every fact that admit gives is legal at once", () => {
  eachHistory(({ steps }) => {
    for (const step of steps) {
      if (step.from === "command") assert.ok(step.after !== null, step.stamped.fact.type);
    }
  });
});

test("R9 any stop label at all ends or goes on, and never throws", () => {
  eachHistory(({ steps }) => {
    for (const { before, stamped } of steps) {
      if (stamped.fact.type !== "response.received") continue;
      const strange = { ...stamped.fact, stop: { reason: "unknown", raw: "\ud800" } as const };
      const next = transition(before, { at: stamped.at, fact: strange });
      if (isIllegal(next) || before.phase.at !== "thinking") continue;
      // Queued input begins the next prompt; this one has ended.
      assert.ok(next.phase.at !== "thinking" || next.prompt.seq !== before.prompt.seq);
    }
  });
});
