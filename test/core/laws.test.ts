import assert from "node:assert/strict";
import { test } from "node:test";

import {
  emptyState,
  fold,
  isIllegal,
  isRead,
  nextCalls,
  openCalls,
  sameJson,
  transition,
  visible,
  type Call,
  type CallId,
  type Fact,
  type JsonObject,
  type State,
} from "#core";

import { allFactTypes, eachHistory, everyNth, runs } from "./history.ts";
import { conversationFault } from "./wire.ts";

const roundTrip = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const last = <T>(list: readonly T[]): T => {
  const found = list.at(-1);
  if (found === undefined) throw new Error("nothing there");
  return found;
};

test("the generator is strong enough: long histories, every fact type, refusals too", () => {
  const lengths: number[] = [];
  const seenIn = new Map<string, number>();
  let refusals = 0;
  eachHistory(({ facts, steps }) => {
    lengths.push(facts.length);
    for (const type of new Set(facts.map(({ fact }) => fact.type))) {
      seenIn.set(type, (seenIn.get(type) ?? 0) + 1);
    }
    refusals += steps.filter((step) => step.after === null).length;
  });
  const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0;
  // Few histories scatter more.
  const { leastShare, leastMedian } =
    runs < 2000 ? { leastShare: 0.02, leastMedian: 30 } : { leastShare: 0.05, leastMedian: 40 };
  const rare = allFactTypes.filter((type) => (seenIn.get(type) ?? 0) < runs * leastShare);
  assert.ok(lengths.length >= runs, `only ${lengths.length} histories`);
  assert.ok(median >= leastMedian, `median length ${median}`);
  assert.deepEqual(rare, [], JSON.stringify(Object.fromEntries(seenIn)));
  assert.ok(refusals >= runs, `only ${refusals} refusals`);
});

test("L1 R22 the same facts make the same state, at once or in two halves", () => {
  eachHistory(({ facts, states }) => {
    const middle = facts.length >> 1;
    const half = fold(facts.slice(0, middle)).state;
    const { state, refused } = fold(facts);
    assert.deepEqual(refused, []);
    assert.deepEqual(state, last(states));
    assert.deepEqual(half, states[middle]);
    assert.deepEqual(fold(facts.slice(middle), half).state, state);
  });
});

test("L2 R23 a state equals its own JSON round trip", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(12, states)) assert.deepEqual(roundTrip(state), state);
  });
});

test("L2 R23 a run that is written out and read back now and then ends in the same state", () => {
  eachHistory(({ facts, states }) => {
    const end = roundTrip(facts).reduce<State>((state, stamped, index) => {
      const next = transition(index % 12 === 0 ? roundTrip(state) : state, stamped);
      return isIllegal(next) ? assert.fail(next.illegal) : next;
    }, emptyState);
    assert.deepEqual(end, last(states));
  });
});

test("L3 R8 when a request starts, every call before it has one result, in order", () => {
  eachHistory(({ steps }) => {
    for (const { before, stamped, after } of steps) {
      if (after === null || stamped.fact.type !== "request.started") continue;
      assert.equal(conversationFault(visible(before)), null);
    }
  });
});

test("L6 a refused fact changes nothing, and only what cannot have happened is refused", () => {
  eachHistory(({ steps, facts, states }) => {
    const refused = steps.filter((step) => step.after === null);
    // The driver offers every read that streams in; the machine takes those that may start early.
    const surprising = refused.filter(
      (step) => step.from !== "wrong" && step.stamped.fact.type !== "tool.requested",
    );
    assert.deepEqual(surprising, []);
    const everything = fold(steps.map((step) => step.stamped));
    assert.equal(everything.refused.length, refused.length);
    assert.deepEqual(everything.state, last(states));
    assert.equal(everything.state.seq, facts.length);
  });
});

test("R21 a transition never changes the state or the fact it is given, and never throws", () => {
  eachHistory(({ steps }) => {
    for (const { before, stamped } of steps) {
      // A write to a frozen object throws.
      assert.ok(
        Object.isFrozen(before) && Object.isFrozen(before.phase) && Object.isFrozen(stamped),
      );
      assert.doesNotThrow(() => transition(before, stamped));
    }
  });
});

test("L7 fields of a later version survive in facts, blocks and the state", () => {
  const withFuture: State = Object.assign(roundTrip(emptyState), { futureState: { kept: true } });
  eachHistory(({ facts }) => {
    const { state } = fold(facts, withFuture);
    assert.deepEqual(Reflect.get(state, "futureState"), { kept: true });
    const received = facts.flatMap(({ fact }) =>
      fact.type === "response.received" ? fact.blocks : [],
    );
    const kept = new Set(received);
    const inMessages = state.messages.flatMap((message) =>
      message.role === "assistant" && !message.partial ? message.blocks : [],
    );
    assert.ok(inMessages.every((block) => kept.has(block)));
  });
});

test("L8 R92 R95 nothing runs beside a call that changes something, and reads wait for such calls", () => {
  eachHistory(({ states, steps }) => {
    for (const state of states) {
      const running = openCalls(state).filter(isUnderWay);
      assert.ok(running.length <= 1 || running.every(isRead), "a write runs beside another call");
    }
    for (const { before, stamped, after } of steps) {
      if (after === null || stamped.fact.type !== "tool.started") continue;
      const { call } = stamped.fact;
      const calls = openCalls(before);
      const index = calls.findIndex((open) => open.id === call);
      assert.ok(nextCalls(calls, 0).some(({ place }) => place === index));
      const earlier = calls.slice(0, index).filter((open) => open.status.at !== "settled");
      assert.ok(
        earlier.every((open) => isRead(open)),
        "a call overtakes one that is not a read",
      );
    }
  });
});

const isUnderWay = (call: Call): boolean =>
  call.status.at === "started" || call.status.at === "unknown";

test("L8 R92 what was read while the reply streamed stands before every write of that reply", () => {
  eachHistory(({ steps }) => {
    for (const { before, stamped, after } of steps) {
      if (stamped.fact.type !== "response.received" || after?.phase.at !== "acting") continue;
      const ranEarly = new Set(openCalls(before).filter((call) => call.attempt > 0));
      const { calls } = after.phase;
      const write = calls.findIndex((call) => !isRead(call) && "access" in call.stamp);
      const overtaken = calls.slice(write < 0 ? calls.length : write + 1);
      assert.ok(overtaken.every((call) => !ranEarly.has(call)));
    }
  });
});

test("L9 R61 no call starts without an allowance of the very input it runs with", () => {
  eachHistory(({ steps }) => {
    const allowed = new Map<CallId, JsonObject>();
    for (const { before, stamped, after } of steps) {
      if (after === null) continue;
      const { fact } = stamped;
      if (fact.type === "response.received") forgetReplaced(allowed, before, fact);
      if (fact.type === "permission.decided") {
        const call = openCalls(before).find((open) => open.id === fact.call);
        const input = fact.edited?.input ?? call?.input;
        if (fact.verdict === "allow" && input !== undefined) allowed.set(fact.call, input);
        else allowed.delete(fact.call);
      }
      if (fact.type === "tool.started") {
        const call = openCalls(before).find((open) => open.id === fact.call);
        assert.ok(
          sameJson(allowed.get(fact.call) ?? null, call?.input),
          `${fact.call} was not allowed`,
        );
      }
    }
  });
});

/** A reply that puts another call in the place of an early one needs a new decision. */
function forgetReplaced(
  allowed: Map<CallId, JsonObject>,
  before: State,
  fact: Extract<Fact, { type: "response.received" }>,
): void {
  const early = openCalls(before);
  for (const block of fact.blocks) {
    if (block.type !== "tool_use") continue;
    const known = early.find((call) => call.id === block.call);
    if (!sameJson(known?.input, block.input) || known?.tool !== block.tool)
      allowed.delete(block.call);
  }
}

test("L10 the conversation is valid for the wire wherever a request is owed", () => {
  eachHistory(({ states }) => {
    for (const state of states) {
      const { at } = state.phase;
      if (at !== "thinking" && at !== "compacting" && at !== "backing_off") continue;
      assert.equal(conversationFault(visible(state)), null);
    }
  });
});

test("R14 a request begins with the one before it, message for message, until something is cut", () => {
  eachHistory(({ steps }) => {
    let sent: State | null = null;
    for (const { before, stamped, after } of steps) {
      if (after === null || stamped.fact.type !== "request.started") continue;
      const isSameView = sent?.cut === before.cut && sent?.withheld === before.withheld;
      const known = sent !== null && isSameView ? visible(sent) : [];
      // What is withheld of a message is taken out of it each time.
      const isWhole = before.withheld.reasoning + before.withheld.images === 0;
      const now = visible(before);
      for (const [index, message] of known.entries()) {
        if (isWhole) assert.ok(message === now[index]);
        else assert.deepEqual(message, now[index]);
      }
      sent = before;
    }
  });
});
