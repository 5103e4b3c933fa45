import assert from "node:assert/strict";
import { test } from "node:test";

import {
  admit,
  jsonAnswer,
  maxAnswerRepairs,
  plainText,
  text,
  wellFormed,
  type Fact,
  type State,
} from "#core";

import {
  after,
  asked,
  call,
  inputOf,
  interrupt,
  nth,
  prompted,
  ran,
  refusal,
  replied,
  sessionStarted,
  told,
  withLimits,
} from "./facts.ts";

const answerSchema = '{"type":"object","required":["a"]}';
const wanted = (ordinal: number): Fact => ({ ...prompted(ordinal), answerSchema });

/** The n-th request, and a reply to it that was held against the schema. */
const answers = (ordinal: number, problem: string | null, words = '{"b":1}'): readonly Fact[] => [
  asked(ordinal),
  replied(ordinal, [text(words)], { answer: { problem } }),
];

const missing = "/: a is missing.";
const begun = told(sessionStarted(), wanted(1));
const lastWords = ({ messages }: State): string => plainText(messages.at(-1)?.blocks ?? []);

test("the model is told of the schema with the prompt, and not of any other time", () => {
  assert.match(
    lastWords(begun),
    /^Fix it\[pawl\] .* JSON Schema:\{"type":"object","required":\["a"\]\}$/,
  );
  const next = after(begun, ...answers(1, null, '{"a":1}'), prompted(2, "And now?"));
  assert.equal(lastWords(next), "And now?");
  assert.equal(next.prompt.answerSchema, null);
});

test("an answer that fits completes the run", () => {
  const { phase, prompt } = after(begun, ...answers(1, null, '{"a":1}'));
  assert.deepEqual(
    [phase.at === "stopped" && phase.outcome, prompt.answer, prompt.answerFits, prompt.misfits],
    ["completed", '{"a":1}', true, 0],
  );
});

test("an answer that does not fit is asked for again, and the model is told which part", () => {
  const again = after(begun, ...answers(1, missing));
  assert.equal(again.phase.at, "thinking");
  assert.match(lastWords(again), /does not fit the JSON Schema: \/: a is missing\. Answer again/);
  assert.equal(again.prompt.answerFits, false);
  const { phase, prompt } = after(again, ...answers(2, null, '{"a":1}'));
  assert.deepEqual(
    [phase.at === "stopped" && phase.outcome, prompt.answerFits, prompt.misfits],
    ["completed", true, 0],
  );
});

test("after three corrections that do not fit either the run has failed, and says which part", () => {
  assert.equal(maxAnswerRepairs, 3);
  const all = [1, 2, 3, 4].map((ordinal) => answers(ordinal, missing));
  assert.equal(after(begun, ...all.slice(0, 3).flat()).phase.at, "thinking");
  const { phase, prompt } = after(begun, ...all.flat());
  assert.ok(phase.at === "stopped" && phase.outcome === "failed");
  assert.equal(phase.failure?.class, "bad_answer");
  assert.match(phase.failure.message, /a is missing/);
  assert.deepEqual([prompt.answer, prompt.turns], ['{"b":1}', 4]);
});

test("calls between two answers start the count of misfits anew", () => {
  const { prompt } = after(
    begun,
    ...answers(1, missing),
    asked(2),
    replied(2, [call("read")], { reason: "tool_use" }),
    ...ran(nth(2, 0)),
    ...answers(3, missing),
  );
  assert.equal(prompt.misfits, 1);
});

test("a reply with calls, a refusal and an answer cut by the limit are not held against the schema", () => {
  for (const reason of ["refusal", "max_tokens"] as const) {
    const { phase } = after(begun, asked(1), replied(1, [text("no")], { reason }));
    assert.equal(
      phase.at === "stopped" && phase.outcome,
      reason === "refusal" ? "refused" : "truncated",
    );
  }
});

test("L6 an answer that nobody has held against its schema is refused", () => {
  assert.equal(
    refusal(after(begun, asked(1)), replied(1, [text("{}")])),
    "the answer was not held against its schema",
  );
});

test("the turn limit holds for corrections too, and the last reply is asked for the answer", () => {
  const one = after(told(withLimits({ turns: 1 }), wanted(1)), ...answers(1, missing)).phase;
  assert.deepEqual([one.at === "stopped" && one.limit], ["turns"]);
  const last = after(
    told(withLimits({ turns: 2 }), wanted(1)),
    asked(1),
    replied(1, [call("read")], { reason: "tool_use" }),
    ...ran(nth(1, 0)),
  );
  assert.match(lastWords(last), /Give the final answer now, as JSON/);
  const { phase, prompt } = after(
    last,
    { ...asked(2), tools: false },
    replied(2, [text('{"a":1}')], { answer: { problem: null } }),
  );
  assert.deepEqual([phase.at === "stopped" && phase.limit, prompt.answerFits], ["turns", true]);
});

test("an interrupt while the answer is corrected stops the run; it goes on with the same schema", () => {
  const graceful = after(begun, asked(1), interrupt("graceful"), ...answers(1, missing).slice(1));
  assert.equal(graceful.phase.at === "stopped" && graceful.phase.outcome, "interrupted");
  const goesOn = after(graceful, inputOf(2, "continue"));
  assert.equal(goesOn.prompt.answerSchema, answerSchema);
});

test("a continued run is told of its schema again, behind what it is told to do", () => {
  const cut = after(begun, asked(1), replied(1, [text("{")], { reason: "max_tokens" }));
  const goesOn = after(cut, inputOf(2, "continue"));
  assert.match(lastWords(goesOn), /^Continue from where you stopped\.\[pawl\] The final answer/);
});

test("a prompt that comes while tools run brings its schema along", () => {
  const steered = after(
    told(sessionStarted(), prompted(1)),
    asked(1),
    replied(1, [call("read")], { reason: "tool_use" }),
    wanted(2),
    ...ran(nth(1, 0)),
  );
  assert.equal(steered.prompt.answerSchema, answerSchema);
  assert.match(lastWords(steered), /Fix it\[pawl\] The final answer/);
});

test("a prompt queued until the end begins with its own schema", () => {
  const next = after(
    told(sessionStarted(), prompted(1)),
    wanted(2),
    asked(1),
    replied(1, [text("ok")]),
  );
  assert.deepEqual([next.phase.at, next.prompt.answerSchema], ["thinking", answerSchema]);
});

for (const [title, answer, json] of [
  ["JSON alone is taken as it is", ' {"a": 1.50} ', '{"a": 1.50}'],
  ["a code fence is taken off", '```json\n{"a":1}\n```', '{"a":1}'],
  ["words around one fence are taken off too", "Here:\n```\n[1]\n```\nDone.", "[1]"],
  ["an indented fence is one", '  ```\n"x"\n  ```', '"x"'],
  ["brackets in strings do not nest", `"${"[".repeat(300)}\\"["`, `"${"[".repeat(300)}\\"["`],
] as const) {
  test(title, () => {
    const found = jsonAnswer(answer);
    assert.ok("json" in found);
    assert.deepEqual([found.json, found.value], [json, JSON.parse(json)]);
  });
}

for (const [title, answer, problem] of [
  ["an empty answer is none", "  ", /no text/],
  ["words are not JSON", "It is done.", /not JSON \(SyntaxError/],
  ["one fence without an end is not taken off", '```json\n{"a":1}', /not JSON/],
  ["of two fences none is the answer", "```\n1\n```\n```\n2\n```", /not JSON/],
  ["two values are not one", "{} {}", /not JSON/],
  ["a number beyond all numbers is refused", '{"a":[null,1,-1e999]}', /too large/],
  ["what is nested too deeply is refused", "[".repeat(201) + "]".repeat(201), /nested/],
] as const) {
  test(title, () => {
    const found = jsonAnswer(answer);
    assert.ok("problem" in found);
    assert.match(found.problem, problem);
  });
}

test("a prompt with a schema is received with it", () => {
  const blocks = [text("Fix it")];
  assert.deepEqual(admit(told(sessionStarted()), { type: "prompt", blocks, answerSchema }), [
    wanted(1),
  ]);
});

test("[W05] half characters in a value become signs that every program can read", () => {
  assert.deepEqual(wellFormed({ "k\ud83d": ["a\ud83d", 1, null, true, { x: "😀" }] }), {
    "k\ufffd": ["a\ufffd", 1, null, true, { x: "😀" }],
  });
});
