import assert from "node:assert/strict";
import { test } from "node:test";

import {
  longestWaitMs,
  maxAttempts,
  outstanding,
  plainText,
  resultOfRun,
  retryDelayMs,
  text,
  type FailureClass,
  type State,
  type TimerId,
} from "#core";

import {
  after,
  asked,
  failed,
  failure,
  inputOf,
  interrupt,
  prompted,
  replied,
  requestLost,
  sessionStarted,
  told,
  withHistory,
} from "./facts.ts";

const retried: readonly FailureClass[] = [
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "stall",
  "truncated",
];
const fatal: readonly FailureClass[] = [
  "auth",
  "billing",
  "not_found",
  "invalid_request",
  "broken_history",
  "bad_tool_call",
  "content_filter",
  "context_overflow",
  "tls",
  "aborted",
  "internal",
];

test("R37 trouble that may pass is tried again, everything else ends at once", () => {
  assert.ok(
    retried.every((kind) => retryDelayMs(failure(kind), { attempt: 1, waitedMs: 0 }, 0) !== null),
  );
  assert.ok(
    fatal.every((kind) => retryDelayMs(failure(kind), { attempt: 1, waitedMs: 0 }, 0) === null),
  );
  assert.equal(
    retryDelayMs({ ...failure("server"), final: true }, { attempt: 1, waitedMs: 0 }, 0),
    null,
  );
});

test("[L08] waits double from half a second up to half a minute, each with jitter above its half", () => {
  const waits = (jitter: number): readonly (number | null)[] =>
    [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelayMs(failure("server"), { attempt, waitedMs: 0 }, jitter),
    );
  assert.deepEqual(waits(0), [250, 500, 1000, 2000, 4000, null]);
  assert.deepEqual(waits(1), [500, 1000, 2000, 4000, 8000, null]);
});

const waits: readonly {
  readonly title: string;
  readonly retryAfterMs: number | null;
  readonly jitter: number;
  readonly waitMs: number | null;
}[] = [
  { title: "absent: the own wait", retryAfterMs: null, jitter: 0.5, waitMs: 375 },
  { title: "0 s: the own wait", retryAfterMs: 0, jitter: 0, waitMs: 250 },
  { title: "3 s: at least 3 s", retryAfterMs: 3000, jitter: 0, waitMs: 3000 },
  {
    title: "3 s: a little more, so that not all come back at once",
    retryAfterMs: 3000,
    jitter: 1,
    waitMs: 3250,
  },
  { title: "10 min: waited for", retryAfterMs: longestWaitMs, jitter: 0, waitMs: longestWaitMs },
  { title: "1 h: not waited for, the run ends", retryAfterMs: 3_600_000, jitter: 0, waitMs: null },
];

for (const { title, retryAfterMs, jitter, waitMs } of waits) {
  test(`[L08] Retry-After is a floor: ${title}`, () => {
    assert.equal(
      retryDelayMs(failure("rate_limit", retryAfterMs), { attempt: 1, waitedMs: 0 }, jitter),
      waitMs,
    );
  });
}

const streaming = told(sessionStarted(), prompted(1), asked(1));

test("[L08] a wait has an end that is known, and the next attempt has a request of its own", () => {
  const waiting = after(streaming, failed(1, "server"));
  assert.deepEqual(outstanding(waiting), [
    {
      type: "wait",
      id: "wait:backoff-r1",
      timer: "backoff-r1",
      until: waiting.at + 250,
      stop: "no",
    },
  ]);
  const again = after(waiting, { type: "timer.fired", timer: timerOf(waiting) });
  assert.ok(again.phase.at === "thinking");
  assert.deepEqual([again.phase.request, again.phase.attempt], ["r2", 2]);
});

function timerOf({ phase }: State): TimerId {
  return phase.at === "backing_off" ? phase.timer : assert.fail(phase.at);
}

/** Fails as often as it is tried. */
function giveUp(state: State, ordinal: number): State {
  const next = after(state, failed(ordinal, "server"));
  if (next.phase.at !== "backing_off") return next;
  return giveUp(
    after(next, { type: "timer.fired", timer: next.phase.timer }, asked(ordinal + 1)),
    ordinal + 1,
  );
}

test("R37 persistent server errors end the run after six attempts, with the reason", () => {
  const end = giveUp(streaming, 1);
  assert.equal(end.count.requests, maxAttempts);
  const result = resultOfRun(end);
  assert.deepEqual([result.outcome, result.note], ["failed", "it failed: server"]);
});

test("R37 401 and 403 are never tried again", () => {
  const end = after(streaming, failed(1, "auth"));
  assert.equal(resultOfRun(end).outcome, "failed");
  assert.equal(end.count.requests, 1);
});

test("a filter that stops the request is a refusal", () => {
  assert.equal(resultOfRun(after(streaming, failed(1, "content_filter"))).outcome, "refused");
});

test("R40 text that had arrived is the answer of a failed run, and blank text is none", () => {
  const failedWith = (partial: string): State => after(streaming, failed(1, "auth", { partial }));
  assert.equal(resultOfRun(failedWith("half an ans")).text, "half an ans");
  assert.equal(resultOfRun(failedWith(" \n")).text, "");
  assert.deepEqual(failedWith("half").messages, streaming.messages);
});

test("R97 a failed reply leaves nothing of its early reads", () => {
  const end = after(streaming, failed(1, "server"));
  assert.deepEqual(end.messages, streaming.messages);
});

test("a continued run sends the same conversation again after a failure", () => {
  const next = after(streaming, failed(1, "auth"), inputOf(2, "continue"));
  assert.equal(next.phase.at, "thinking");
  assert.deepEqual(next.messages, streaming.messages);
});

test("R36 text of a reply that the user interrupted stays in the conversation", () => {
  const end = after(streaming, interrupt("now"), failed(1, "aborted", { partial: "I found " }));
  assert.equal(resultOfRun(end).outcome, "interrupted");
  assert.deepEqual(
    end.messages.map((message) => [message.role, plainText(message.blocks)]),
    [
      ["user", "Fix it"],
      ["assistant", "I found "],
    ],
  );
  const whole = after(streaming, replied(1, [text("Done.")]));
  const [cutShort, complete] = [end.messages.at(-1), whole.messages.at(-1)];
  assert.ok(cutShort?.role === "assistant" && cutShort.partial);
  assert.ok(complete?.role === "assistant" && !complete.partial);
});

test("a request whose process died is asked for again under a new name, unless it was interrupted", () => {
  const again = after(streaming, requestLost(1, "half"));
  assert.ok(again.phase.at === "thinking");
  assert.deepEqual(
    [again.phase.request, again.phase.attempt, again.phase.started],
    ["r2", 1, false],
  );
  const stopped = after(streaming, interrupt("graceful"), requestLost(1, "half"));
  assert.equal(resultOfRun(stopped).outcome, "interrupted");
  assert.equal(resultOfRun(stopped).text, "half");
});

test("a request that does not fit the window leads to a summary, three times in a row at most", () => {
  const overflow = (state: State, ordinal: number): State =>
    after(withHistory(state), failed(ordinal, "context_overflow"));
  const summed = (state: State, ordinal: number): State =>
    after(
      state,
      asked(ordinal),
      replied(ordinal, [text("sum")]),
      {
        type: "context.compacted",
        from: 0,
        summary: "sum",
        how: "summary",
      },
      asked(ordinal + 1),
    );
  const thrice = summed(overflow(summed(overflow(summed(overflow(streaming, 1), 2), 3), 4), 5), 6);
  assert.equal(thrice.phase.at, "thinking");
  assert.equal(resultOfRun(overflow(thrice, 7)).outcome, "failed");
});

test("when no summary can be had the oldest messages are dropped, and the session goes on", () => {
  const owed = after(
    withHistory(streaming),
    failed(1, "context_overflow"),
    asked(2),
    failed(2, "auth", { partial: "par" }),
  );
  assert.ok(
    owed.phase.at === "compacting" && owed.phase.step === "cut" && owed.phase.summary === null,
  );
  assert.equal(owed.prompt.answer, "");
});

test("a summary that fails for a while is tried again, and an interrupt of it leaves no text", () => {
  const crowded = withHistory(streaming);
  const waiting = after(crowded, failed(1, "context_overflow"), asked(2), failed(2, "server"));
  assert.equal(waiting.phase.at, "backing_off");
  const again = after(waiting, { type: "timer.fired", timer: timerOf(waiting) });
  assert.ok(again.phase.at === "compacting" && again.phase.attempt === 2);
  const end = after(
    again,
    asked(3),
    interrupt("now"),
    failed(3, "aborted", { partial: "Summary:" }),
  );
  assert.equal(resultOfRun(end).outcome, "interrupted");
  assert.deepEqual(end.messages, crowded.messages);
  assert.equal(end.prompt.answer, "");
});

test("a lost summary is asked for again", () => {
  const crowded = withHistory(streaming);
  const lost = after(crowded, failed(1, "context_overflow"), asked(2), requestLost(2, "Summ"));
  assert.ok(lost.phase.at === "compacting" && lost.phase.request === "r3" && !lost.phase.started);
});
