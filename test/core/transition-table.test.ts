import assert from "node:assert/strict";
import { test } from "node:test";

import {
  judgeReply,
  openCalls,
  plainText,
  resultOfRun,
  text,
  type ReplyBlock,
  type State,
  type StopReason,
} from "#core";

import {
  after,
  asked,
  call,
  decided,
  inputOf,
  named,
  nth,
  prompted,
  ran,
  replied,
  sessionStarted,
  told,
  withHistory,
} from "./facts.ts";

const streaming: State = withHistory(told(sessionStarted(), prompted(1), asked(1)));
const answered = (reason: StopReason, blocks: readonly ReplyBlock[]): State =>
  after(streaming, replied(1, blocks, { reason }));

const words = text("Here is what I have.");
const whole = call("bash", { command: "npm test" });
const cut = call("write", {}, { complete: false, inputText: '{"path":"a.ts","content":"half' });
const mangled = call("bash", {}, { problem: "not valid JSON", inputText: "{oops" });

/** What became of a reply: how it ended, what may run, what was refused. */
function fate(state: State): {
  readonly at: string;
  readonly open: readonly string[];
  readonly results: readonly string[];
} {
  const { phase } = state;
  const last = state.messages.at(-1);
  const results = last?.role === "user" ? last.blocks : [];
  return {
    at: phase.at === "stopped" ? phase.outcome : phase.at,
    open: openCalls(state).map((open) => `${open.tool} ${open.status.at}`),
    results: results.flatMap((block) =>
      block.type === "tool_result" ? [plainText(block.content)] : [],
    ),
  };
}

const refusedBecause = (why: string): string => `Not run: ${why}. Nothing was changed.`;
const cutByLimit =
  /^This call was cut by the output limit .* Do not send it again as it was: split the work/s;
const cutOff = /^This call is incomplete: the reply ended inside its arguments.* split the work/s;

const withoutCalls: readonly {
  readonly title: string;
  readonly reason: StopReason;
  readonly at: string;
}[] = [
  { title: "R5 end_turn without calls completes", reason: "end_turn", at: "completed" },
  { title: "R6 stop_sequence without calls completes", reason: "stop_sequence", at: "completed" },
  {
    title: "R12 tool_use without calls completes and never loops",
    reason: "tool_use",
    at: "completed",
  },
  { title: "R7 D4 max_tokens without calls is truncated", reason: "max_tokens", at: "truncated" },
  {
    title: "a full context window without calls is compacted",
    reason: "context_window",
    at: "compacting",
  },
  { title: "a refusal without calls is refused", reason: "refusal", at: "refused" },
  { title: "a content filter without calls is refused", reason: "content_filter", at: "refused" },
  { title: "a pause without calls is resumed", reason: "pause_turn", at: "thinking" },
  {
    title: "R9 [W16] an unknown reason without calls stops",
    reason: "unknown",
    at: "unknown_stop",
  },
];

for (const { title, reason, at } of withoutCalls) {
  test(title, () => {
    assert.deepEqual(fate(answered(reason, [words])), { at, open: [], results: [] });
  });
}

const withCalls: readonly {
  readonly title: string;
  readonly reason: StopReason;
  readonly at: string;
  readonly runs: boolean;
}[] = [
  { title: "R8 tool_use with calls runs them", reason: "tool_use", at: "acting", runs: true },
  {
    title: "D3 end_turn with calls runs them: some servers say stop",
    reason: "end_turn",
    at: "acting",
    runs: true,
  },
  {
    title: "D3 stop_sequence with calls runs them",
    reason: "stop_sequence",
    at: "acting",
    runs: true,
  },
  {
    title: "D4 max_tokens with whole calls runs them",
    reason: "max_tokens",
    at: "acting",
    runs: true,
  },
  {
    title: "a pause with whole calls runs them: they need results",
    reason: "pause_turn",
    at: "acting",
    runs: true,
  },
  {
    title: "a full context window with calls runs none",
    reason: "context_window",
    at: "compacting",
    runs: false,
  },
  { title: "a refusal with calls runs none", reason: "refusal", at: "refused", runs: false },
  {
    title: "a content filter with calls runs none",
    reason: "content_filter",
    at: "refused",
    runs: false,
  },
  {
    title: "R9 an unknown reason with calls is no licence to act",
    reason: "unknown",
    at: "unknown_stop",
    runs: false,
  },
];

for (const { title, reason, at, runs } of withCalls) {
  test(`[W16] ${title}`, () => {
    const { at: reached, open } = fate(answered(reason, [words, whole]));
    assert.deepEqual({ reached, open }, { reached: at, open: runs ? ["bash requested"] : [] });
  });
}

test("R9 the calls of a refused or unknown reply have a result that says they were not run", () => {
  assert.deepEqual(fate(answered("refusal", [whole])).results, [
    refusedBecause("the model refused to go on"),
  ]);
  assert.deepEqual(fate(answered("unknown", [whole, whole])).results, [
    refusedBecause("the reply ended for an unknown reason (unknown)"),
    refusedBecause("the reply ended for an unknown reason (unknown)"),
  ]);
});

test("R9 an unknown reason without a label says so", () => {
  const judged = judgeReply(named(1, [whole]), { reason: "unknown", raw: null });
  assert.deepEqual(judged.refused, {
    [nth(1, 0)]: refusedBecause("the reply ended for an unknown reason (none given)"),
  });
});

test("R93 [P10] at the output limit a cut call never runs and is told to split; whole ones run", () => {
  const state = answered("max_tokens", [whole, cut]);
  assert.deepEqual(fate(state).open, ["bash requested", "write settled"]);
  const done = after(state, ...ran(nth(1, 0)));
  assert.equal(done.phase.at, "thinking");
  assert.match(fate(done).results[1] ?? "", cutByLimit);
});

test("R93 [P10] a cut call never runs whatever the label says, and the model is asked to send it again", () => {
  assert.match(fate(answered("end_turn", [cut])).results[0] ?? "", cutOff);
  assert.match(fate(answered("tool_use", [cut])).results[0] ?? "", cutOff);
  assert.match(fate(answered("stop_sequence", [cut])).results[0] ?? "", cutOff);
  assert.match(fate(answered("pause_turn", [cut])).results[0] ?? "", cutOff);
});

test("a cut call is not run after a refusal, a filter, an unknown reason or a full window either", () => {
  assert.equal(fate(answered("refusal", [cut])).at, "refused");
  assert.equal(fate(answered("content_filter", [cut])).at, "refused");
  assert.equal(fate(answered("unknown", [cut])).at, "unknown_stop");
  assert.equal(fate(answered("context_window", [cut])).at, "compacting");
});

test("[P10] the second reply in a row that is cut inside a call ends the run as truncated", () => {
  const once = answered("max_tokens", [cut]);
  assert.equal(once.phase.at, "thinking");
  const twice = after(once, asked(2), replied(2, [cut], { reason: "tool_use" }));
  assert.equal(fate(twice).at, "truncated");
  assert.match(fate(twice).results[0] ?? "", cutOff);
});

test("[P10] a whole reply in between starts the count of cut ones anew", () => {
  const once = answered("max_tokens", [cut]);
  const between = after(once, asked(2), replied(2, [call("read")]), ...ran(nth(2, 0)));
  const again = after(between, asked(3), replied(3, [cut], { reason: "max_tokens" }));
  assert.equal(again.phase.at, "thinking");
});

test("R38 a call with unusable arguments is not run, and the model is told what is wrong with them", () => {
  const state = answered("tool_use", [mangled, whole]);
  assert.deepEqual(fate(state).open, ["bash settled", "bash requested"]);
  const done = after(state, ...ran(nth(1, 1)));
  assert.match(
    fate(done).results[0] ?? "",
    /^The arguments of this call are not valid JSON\. It was not run/,
  );
});

test("R12 a refusal in words completes like any other answer", () => {
  const state = answered("end_turn", [text("I cannot do this.")]);
  assert.deepEqual(resultOfRun(state).outcome, "completed");
  assert.equal(resultOfRun(state).text, "I cannot do this.");
});

test("R13 D3 labels that do not fit the content are a warning, not a third path", () => {
  assert.deepEqual(answered("tool_use", [words]).prompt.warnings, [
    "the reply ended with tool_use but holds no call",
  ]);
  assert.deepEqual(answered("end_turn", [whole]).prompt.warnings, [
    "the reply ended with end_turn but holds calls; they are run",
  ]);
});

test("D3 a label without a raw form is named by its canonical one", () => {
  const judged = judgeReply(named(1, [whole]), { reason: "stop_sequence", raw: null });
  assert.deepEqual(judged.warnings, [
    "the reply ended with stop_sequence but holds calls; they are run",
  ]);
});

test("R6 the reason stays in the record", () => {
  assert.deepEqual(resultOfRun(answered("stop_sequence", [words])).stop, {
    reason: "stop_sequence",
    raw: "stop_sequence",
  });
});

test("R7 a truncated answer can be continued, and nothing of it is lost", () => {
  const state = after(answered("max_tokens", [words]), inputOf(2, "continue"));
  assert.equal(state.phase.at, "thinking");
  assert.deepEqual(
    state.messages.slice(-3).map((message) => [message.role, plainText(message.blocks)]),
    [
      ["user", "Fix it"],
      ["assistant", "Here is what I have."],
      ["user", "Continue from where you stopped."],
    ],
  );
});

test("a pause is resumed with the reply as it is, ten times in a row at most", () => {
  const paused = [2, 3, 4, 5, 6, 7, 8, 9].reduce<State>(
    (state, ordinal) =>
      after(state, asked(ordinal), replied(ordinal, [words], { reason: "pause_turn" })),
    answered("pause_turn", [words]),
  );
  assert.equal(paused.phase.at, "thinking");
  assert.equal(paused.messages.at(-1)?.role, "assistant");
  const tenth = after(paused, asked(10), replied(10, [words], { reason: "pause_turn" }));
  assert.equal(fate(tenth).at, "truncated");
});

test("a window that is full again after three summaries in a row ends the run as truncated", () => {
  const full = (state: State, ordinal: number): State =>
    after(state, asked(ordinal), replied(ordinal, [words], { reason: "context_window" }));
  const summed = (state: State, ordinal: number): State =>
    after(state, asked(ordinal), replied(ordinal, [text("summary")]), {
      type: "context.compacted",
      from: 0,
      summary: "summary",
      how: "summary",
    });
  const thrice = summed(
    full(summed(full(summed(answered("context_window", [words]), 2), 3), 4), 5),
    6,
  );
  assert.equal(thrice.phase.at, "thinking");
  assert.equal(fate(full(thrice, 7)).at, "truncated");
  assert.equal(resultOfRun(full(thrice, 7)).text, "Here is what I have.");
});

test("a reply that ran into the window is not part of the conversation", () => {
  const state = answered("context_window", [words, whole]);
  assert.deepEqual(state.messages, streaming.messages);
  assert.equal(state.prompt.turns, 1);
});

test("R10 a reply is one turn, however many calls it holds", () => {
  const state = answered("tool_use", [whole, whole, whole]);
  assert.equal(state.prompt.turns, 1);
  assert.equal(state.prompt.toolCalls, 3);
});

test("an empty reply completes and leaves no empty message", () => {
  const state = answered("end_turn", []);
  assert.equal(fate(state).at, "completed");
  assert.deepEqual(state.messages, streaming.messages);
});

test("R8 N calls in, N results out, same ids, in request order, whatever finishes first", () => {
  const state = answered("tool_use", [call("read"), call("grep"), call("read")]);
  const done = after(state, ...ran(nth(1, 2)), ...ran(nth(1, 0)), decided(nth(1, 1), "deny"));
  const last = done.messages.at(-1);
  assert.deepEqual(
    last?.blocks.map((block) =>
      block.type === "tool_result" ? [block.call, block.isError] : null,
    ),
    [
      [nth(1, 0), false],
      [nth(1, 1), true],
      [nth(1, 2), false],
    ],
  );
});
