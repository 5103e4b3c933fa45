import assert from "node:assert/strict";
import { test } from "node:test";

import {
  modelInUse,
  outstanding,
  plainText,
  remedyFor,
  resultOfRun,
  text,
  visible,
  type AgentModel,
  type FactOf,
  type Failure,
  type FailureClass,
  type Image,
  type Remedy,
  type ReplyBlock,
  type State,
  type TimerId,
} from "#core";

import {
  after,
  asked,
  call,
  failed,
  failure,
  inputOf,
  interrupt,
  nth,
  prompted,
  ran,
  refusal,
  replied,
  requestLost,
  resumed,
  sessionStarted,
  told,
  withHistory,
} from "./facts.ts";

const model = (name: string, window: number | null = null): AgentModel => ({
  model: name,
  window,
  maxOutputTokens: 1000,
  cheapestInputUsd: null,
});
const elsewhere = model("gemini/other");
const sameProvider = model("anthropic/other");

const image: Image = { type: "image", mediaType: "image/png", data: "aGk=" };
const thought: ReplyBlock = {
  type: "thinking",
  text: "hm",
  opaque: { provider: "anthropic", data: { signature: "s" } },
};
const signed: ReplyBlock = {
  ...call("read"),
  opaque: { provider: "anthropic", data: { caller: "direct" } },
};

/** A conversation with reasoning and an image in it, and a request under way. */
const streamingWith = (fallback: AgentModel | null): State =>
  told(
    sessionStarted({ fallback }),
    { ...prompted(1, "What is this?"), blocks: [text("What is this?"), image] },
    asked(1),
    replied(1, [thought, signed], { reason: "tool_use" }),
    ...ran(nth(1, 0), { content: [text("see"), image] }),
    asked(2),
  );

const remedyOf = (state: State, why: Failure): Remedy | null =>
  remedyFor(state, { failure: why, jitter: 0 });

/** The request fails, and what is done about it is what the driver records. */
function failing(state: State, why: Failure): State {
  const fact: FactOf<"request.failed"> = {
    ...failed(state.count.requests, "server"),
    failure: why,
    remedy: remedyOf(state, why),
  };
  return after(state, fact);
}

/** Fails until nothing is tried again any more, or another request is owed at once. */
function exhausted(state: State, why: Failure): State {
  const next = failing(state, why);
  if (next.phase.at !== "backing_off") return next;
  const again = after(next, { type: "timer.fired", timer: next.phase.timer });
  return exhausted(after(again, asked(again.count.requests)), why);
}

/** Who helps when trying again is over: nobody, another provider, or any other model. */
const helpers: Readonly<Record<FailureClass, "nobody" | "another provider" | "any other model">> = {
  rate_limit: "any other model",
  overloaded: "any other model",
  server: "any other model",
  network: "any other model",
  stall: "any other model",
  truncated: "any other model",
  not_found: "any other model",
  bad_tool_call: "any other model",
  auth: "another provider",
  billing: "another provider",
  broken_history: "another provider",
  context_overflow: "nobody",
  content_filter: "nobody",
  invalid_request: "nobody",
  bad_answer: "nobody",
  tls: "nobody",
  aborted: "nobody",
  internal: "nobody",
};

for (const [kind, who] of Object.entries(helpers)) {
  test(`--fallback-model: after ${kind} helps ${who}`, () => {
    const final: Failure = { ...failure("server"), class: kind as FailureClass, final: true }; // a key of the table
    const used = (fallback: AgentModel | null): boolean => {
      const streaming = streamingWith(fallback);
      // What the same model may be offered instead has been tried.
      const worn: State = {
        ...streaming,
        withheld: { reasoning: streaming.seq, images: streaming.seq },
        prompt: { ...streaming.prompt, badCalls: 1 },
      };
      return remedyOf(worn, final) !== null;
    };
    assert.deepEqual(
      [used(null), used(sameProvider), used(elsewhere)],
      [false, who === "any other model", who !== "nobody"],
    );
  });
}

test("the fallback steps in when the retries of the first are exhausted, for the rest of the prompt", () => {
  const fell = exhausted(streamingWith(elsewhere), failure("overloaded"));
  assert.equal(fell.count.requests, 8);
  assert.ok(fell.phase.at === "thinking");
  assert.deepEqual([fell.phase.request, fell.phase.attempt, fell.phase.waitedMs], ["r8", 1, 0]);
  assert.equal(modelInUse(fell), fell.agent.fallback);
  assert.equal(fell.agent.model, "anthropic/test");
  assert.deepEqual(resultOfRun(fell).warnings, [
    "anthropic/test cannot be had: gemini/other goes on with this prompt.",
  ]);
  const done = after(fell, { ...asked(8), model: "gemini/other" }, replied(8, [text("Done.")]));
  assert.equal(modelInUse(done), done.agent.fallback);
  assert.equal(modelInUse(after(done, prompted(2))).model, "anthropic/test");
});

test("a wait that is too long, or longer than a minute, is not waited for when there is a fallback", () => {
  const wait = (retryAfterMs: number): Remedy | null =>
    remedyOf(streamingWith(elsewhere), failure("rate_limit", retryAfterMs));
  assert.equal(wait(60_000), null);
  assert.deepEqual(wait(61_000), { type: "fall_back", model: "gemini/other" });
  assert.deepEqual(wait(3_600_000), { type: "fall_back", model: "gemini/other" });
});

test("a fallback that fails too ends the run after its own retries", () => {
  const fell = exhausted(streamingWith(elsewhere), failure("overloaded"));
  const end = exhausted(after(fell, asked(8)), failure("server"));
  assert.equal(end.count.requests, 13);
  assert.deepEqual(
    [resultOfRun(end).outcome, resultOfRun(end).note],
    ["failed", "it failed: server"],
  );
});

test("R86 killed while the fallback answers, the next process goes on with the fallback", () => {
  const fell = after(exhausted(streamingWith(elsewhere), failure("overloaded")), asked(8));
  const found = after(fell, resumed, requestLost(8, "half"));
  assert.equal(modelInUse(found), found.agent.fallback);
  assert.ok(found.phase.at === "thinking" && found.phase.request === "r9");
});

test("a model the user chooses is asked at once, also while the fallback has stepped in", () => {
  const fell = exhausted(streamingWith(elsewhere), failure("overloaded"));
  const chosen = after(fell, { type: "agent.changed", agent: { model: "openai/chosen" } });
  assert.equal(modelInUse(chosen).model, "openai/chosen");
  const gone = after(fell, { type: "agent.changed", agent: { fallback: null } });
  assert.equal(modelInUse(gone).model, "anthropic/test");
});

test("a smaller window of the fallback leads to a summary first, by the fallback", () => {
  const crowded = withHistory(streamingWith(model("gemini/small", 1000)));
  const fell = exhausted({ ...crowded, contextTokens: 5000 }, failure("overloaded"));
  assert.equal(fell.phase.at, "compacting");
  assert.equal(modelInUse(fell).model, "gemini/small");
});

test("R50 a larger window helps where nothing more can be cut", () => {
  const small = (fallback: AgentModel): State => ({
    ...streamingWith(fallback),
    agent: { ...streamingWith(fallback).agent, window: 10_000 },
  });
  const overflow = failure("context_overflow");
  assert.deepEqual(remedyOf(small(model("gemini/large", 20_000)), overflow), {
    type: "fall_back",
    model: "gemini/large",
  });
  assert.equal(remedyOf(small(model("gemini/small", 5000)), overflow), null);
  assert.equal(remedyOf(small(model("gemini/unknown")), overflow), null);
  assert.equal(remedyOf(withHistory(small(model("gemini/large", 20_000))), overflow), null);
});

test("a summary that cannot be had of the first model is asked of the fallback", () => {
  const crowded = withHistory(streamingWith(elsewhere));
  const owed = after(crowded, failed(2, "context_overflow"), asked(3));
  const fell = exhausted(owed, failure("overloaded"));
  assert.ok(fell.phase.at === "compacting" && fell.phase.step === "summarise");
  assert.equal(modelInUse(fell), fell.agent.fallback);
});

test("a call the provider cannot read: the model is told once, then the run fails and says so", () => {
  const once = failing(streamingWith(null), failure("bad_tool_call"));
  assert.equal(once.phase.at, "thinking");
  assert.match(plainText(once.messages.at(-1)?.blocks ?? []), /^\[pawl\] Your last reply was lost/);
  const twice = failing(after(once, asked(3)), failure("bad_tool_call"));
  assert.equal(resultOfRun(twice).outcome, "failed");
  assert.match(resultOfRun(twice).note ?? "", /It was told and did it again/);
});

test("a good reply in between, and the model may be told again", () => {
  const told1 = failing(streamingWith(null), failure("bad_tool_call"));
  const good = after(told1, asked(3), replied(3, [call("read")]), ...ran(nth(3, 0)), asked(4));
  assert.equal(remedyOf(good, failure("bad_tool_call"))?.type, "tell");
});

test("a history the provider refuses is sent without its reasoning from then on, and is never poisoned", () => {
  const streaming = streamingWith(null);
  const amended = failing(streaming, failure("broken_history"));
  assert.equal(amended.phase.at, "thinking");
  assert.deepEqual(
    visible(amended)[1]?.blocks,
    [{ ...signed, call: nth(1, 0), opaque: undefined }].map(({ opaque: _none, ...block }) => block),
  );
  assert.deepEqual(amended.messages, streaming.messages);
  const next = after(amended, asked(3), replied(3, [thought, call("read")]), ...ran(nth(3, 0)));
  assert.deepEqual(visible(next)[3]?.blocks[0], thought);
  // The new reasoning may be what is refused next.
  assert.equal(remedyOf(after(next, asked(4)), failure("broken_history"))?.type, "withhold");
});

test("a history that is refused without reasoning too ends the run and names the ways out", () => {
  const amended = failing(streamingWith(null), failure("broken_history"));
  const end = failing(after(amended, asked(3)), failure("broken_history"));
  assert.equal(resultOfRun(end).outcome, "failed");
  assert.match(resultOfRun(end).note ?? "", /another model, or fork the session/);
});

const refusedImage: Failure = { ...failure("invalid_request"), about: "images" };

test("[W08] refused images become a note from then on, in prompts and in results, and later ones are sent", () => {
  const amended = failing(streamingWith(null), refusedImage);
  assert.equal(amended.phase.at, "thinking");
  const sent = JSON.stringify(visible(amended));
  assert.equal(sent.includes('"image"'), false);
  assert.equal(sent.split("An image stood here").length, 3);
  const later = after(amended, asked(3), replied(3, [text("ok")]), {
    ...prompted(2),
    blocks: [image],
  });
  assert.deepEqual(visible(later).at(-1)?.blocks, [image]);
});

test("[W08] an image that is refused without being there ends the run", () => {
  const amended = failing(streamingWith(null), refusedImage);
  const end = failing(after(amended, asked(3)), refusedImage);
  assert.equal(resultOfRun(end).outcome, "failed");
});

test("[W08] another model of the user's choice gets the images again", () => {
  const amended = failing(streamingWith(null), refusedImage);
  const chosen = after(amended, { type: "agent.changed", agent: { model: "openai/sees" } });
  assert.ok(JSON.stringify(visible(chosen)).includes('"image"'));
});

test("R36 what is interrupted is not remedied, and neither is what is no request", () => {
  const streaming = streamingWith(elsewhere);
  assert.equal(remedyOf(after(streaming, interrupt("now")), failure("not_found")), null);
  assert.equal(remedyOf(told(sessionStarted()), failure("not_found")), null);
  const cutOwed = after(
    withHistory(streamingWith(null)),
    failed(2, "context_overflow"),
    asked(3),
    failed(3, "auth"),
  );
  assert.equal(remedyOf(cutOwed, failure("not_found")), null);
});

const unusable: readonly {
  readonly title: string;
  readonly remedy: Remedy;
  readonly why: string;
}[] = [
  {
    title: "a fallback that is none",
    remedy: { type: "fall_back", model: "openai/none" },
    why: "openai/none is not the fallback",
  },
  {
    title: "reasoning that is not there",
    remedy: { type: "withhold", what: "reasoning" },
    why: "there is no reasoning to withhold",
  },
];

for (const { title, remedy, why } of unusable) {
  test(`L6 a remedy that cannot be used is refused: ${title}`, () => {
    const plain = told(sessionStarted({ fallback: elsewhere }), prompted(1), asked(1));
    assert.equal(refusal(plain, failed(1, "server", { remedy })), why);
  });
}

test("L6 a remedy is refused the second time", () => {
  const fell = after(exhausted(streamingWith(elsewhere), failure("overloaded")), asked(8));
  const again: Remedy = { type: "fall_back", model: "gemini/other" };
  assert.equal(
    refusal(fell, failed(8, "server", { remedy: again })),
    "the fallback has stepped in already",
  );
  const told1 = after(failing(streamingWith(null), failure("bad_tool_call")), asked(3));
  const tell: Remedy = { type: "tell", text: "No." };
  assert.equal(
    refusal(told1, failed(3, "server", { remedy: tell })),
    "the model has been told already",
  );
});

test("[C13] a request that cannot be cut any more is never sent again: the run ends at once and says what to do", () => {
  const begun = told(sessionStarted(), prompted(1), asked(1));
  const end = failing(begun, failure("context_overflow"));
  assert.equal(end.count.requests, 1);
  assert.equal(resultOfRun(end).outcome, "failed");
  assert.match(resultOfRun(end).note ?? "", /Nothing more can be cut.*larger window/s);
  const full = after(begun, replied(1, [text("half")], { reason: "context_window" }));
  assert.deepEqual([resultOfRun(full).outcome, resultOfRun(full).text], ["truncated", "half"]);
});

test("R36 a summary that was asked for at a stop and is interrupted leaves the run as it had ended", () => {
  const done = told(sessionStarted(), prompted(1), asked(1), replied(1, [text("Done.")]));
  const owed = after(done, inputOf(2, "compact"));
  const outcome = (state: State): unknown => resultOfRun(state).outcome;
  assert.equal(outcome(after(owed, interrupt("now"))), "completed");
  const streaming = after(owed, asked(2), interrupt("now"));
  assert.equal(outcome(after(streaming, failed(2, "aborted"))), "completed");
  assert.equal(outcome(after(streaming, replied(2, [text("sum")]))), "completed");
  const waiting = after(owed, asked(2), failed(2, "server"));
  assert.equal(waiting.phase.at, "backing_off");
  assert.equal(outcome(after(waiting, interrupt("now"))), "completed");
});

test("reasoning of another model is left out with one notice for each change of the model", () => {
  const notice = /^Reasoning that another model wrote is not sent to openai\/b/;
  const notices = (state: State): number =>
    resultOfRun(state).warnings.filter((warning) => notice.test(warning)).length;
  const moved = after(streamingWith(null), replied(2, [text("ok")]), {
    type: "agent.changed",
    agent: { model: "openai/b" },
  });
  const onB = (ordinal: number): FactOf<"request.started"> => ({
    ...asked(ordinal),
    model: "openai/b",
  });
  const first = after(moved, prompted(2), onB(3));
  assert.equal(notices(first), 1);
  const retried = failing(first, failure("server"));
  assert.ok(retried.phase.at === "backing_off");
  const again = after(retried, { type: "timer.fired", timer: timerOf(retried) }, onB(4));
  assert.equal(notices(again), 1);
  const answered = after(again, replied(4, [text("hi")], { model: "openai/b" }));
  assert.equal(notices(after(answered, prompted(3), onB(5))), 0);
});

const timerOf = ({ phase }: State): TimerId =>
  phase.at === "backing_off" ? phase.timer : assert.fail(phase.at);

test("without reasoning in the conversation a change of the model says nothing", () => {
  const plain = told(sessionStarted(), prompted(1), asked(1), replied(1, [text("ok")]));
  const moved = after(plain, prompted(2), { ...asked(2), model: "openai/b" });
  assert.deepEqual(resultOfRun(moved).warnings, []);
});

test("[L08] all waits of one request together are at most ten minutes", () => {
  const wait = failure("rate_limit", 240_000);
  const end = exhausted(streamingWith(null), wait);
  assert.equal(resultOfRun(end).outcome, "failed");
  // Twice four minutes; a third would be too much.
  assert.equal(end.count.requests, 4);
});

test("[L08] a wait that is too long ends the run, which says when to go on; it can be continued", () => {
  const end = failing(streamingWith(null), failure("rate_limit", 3_600_000));
  assert.ok(end.phase.at === "stopped");
  assert.equal(end.phase.retryAt, end.at + 3_600_000);
  assert.match(resultOfRun(end).note ?? "", /go on in 60 min/);
  const next = after(end, inputOf(2, "continue"));
  assert.deepEqual(
    outstanding(next).map((effect) => effect.type),
    ["call_model"],
  );
});

test("[L08] a wait survives the process, and an interrupt leaves it", () => {
  const waiting = failing(streamingWith(null), failure("rate_limit", 300_000));
  assert.deepEqual(outstanding(after(waiting, resumed)), outstanding(waiting));
  const left = after(waiting, interrupt("graceful"));
  assert.equal(resultOfRun(left).outcome, "interrupted");
  assert.equal(after(left, inputOf(2, "continue")).phase.at, "thinking");
});
