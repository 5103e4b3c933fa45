import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isIllegal,
  mostAtOnce,
  openCalls,
  outstanding,
  transition,
  type Call,
  type Fact,
  type State,
} from "#core";

import {
  after,
  asked,
  call,
  decided,
  nth,
  prompted,
  refusal,
  replied,
  requestedEarly,
  sessionStarted,
  toolFinished,
  toolStarted,
  told,
} from "./facts.ts";

const replyOf = (count: number, tool: string): State =>
  told(
    sessionStarted(),
    prompted(1),
    asked(1),
    replied(
      1,
      Array.from({ length: count }, (_, n) => call(tool, { n })),
    ),
  );

/** The same state, whose calls count how often anybody looks at how they stand. */
function watched(state: State, onLook: () => void): State {
  if (state.phase.at !== "acting") return state;
  const calls = state.phase.calls.map((plain): Call => ({
    ...plain,
    get status() {
      onLook();
      return plain.status;
    },
  }));
  return { ...state, phase: { ...state.phase, calls } };
}

/** Works off every call, and says how often a call was looked at for each. */
function looksPerCall(count: number, tool: string): number {
  let looks = 0;
  let state = watched(replyOf(count, tool), () => {
    looks += 1;
  });
  while (state.phase.at === "acting") {
    const [owed] = outstanding(state);
    const next = transition(state, { at: state.at + 1, fact: nextFact(owed) });
    if (isIllegal(next)) assert.fail(next.illegal);
    state = next;
  }
  return looks / count;
}

function nextFact(owed: ReturnType<typeof outstanding>[number] | undefined): Fact {
  if (owed?.type === "decide") return decided(owed.call.id);
  if (owed?.type !== "run_tool") return assert.fail(owed?.type);
  return owed.begun ? toolFinished(owed.call.id) : toolStarted(owed.call.id);
}

for (const tool of ["read", "write"]) {
  test(`R122 the work of a ${tool} does not grow with the number of calls in its reply`, () => {
    const [few, many] = [looksPerCall(100, tool), looksPerCall(800, tool)];
    assert.ok(many <= few * 1.2, `${few} looks with 100 calls, ${many} with 800`);
  });
}

test("R89 of many reads in one reply so many run at once, and the next begins when one ends", () => {
  const reply = replyOf(100, "read");
  assert.equal(outstanding(reply).length, mostAtOnce);
  assert.equal(
    refusal(reply, decided(nth(1, mostAtOnce))),
    `call r1-${mostAtOnce} is not next to run`,
  );
  const second = nth(1, 1);
  const one = after(reply, decided(second), toolStarted(second), toolFinished(second));
  assert.equal(outstanding(one).at(-1)?.id, `decide:r1-${mostAtOnce}:whole`);
});

test("R88 so many reads begin while the reply streams; the rest wait for its end", () => {
  const streaming = told(sessionStarted(), prompted(1), asked(1));
  const early = Array.from({ length: mostAtOnce }, (_, n) =>
    requestedEarly(1, n, { tool: "read" }),
  );
  const full = after(streaming, ...early);
  assert.equal(openCalls(full).length, mostAtOnce);
  assert.equal(
    refusal(full, requestedEarly(1, mostAtOnce, { tool: "read" })),
    "enough calls run early",
  );
});
