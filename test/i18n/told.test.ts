import assert from "node:assert/strict";
import { test } from "node:test";

import { type Because, type Failure, PawlError, type RefusalCode, type Trace } from "#core";
import { wordsFor } from "#i18n";

const { told: english } = await wordsFor("en");
const { told: chinese } = await wordsFor("zh-CN");

/** Words of three letters and more that are neither names nor given from outside. */
const englishWords = (text: string): readonly string[] =>
  text.match(/\b(?:the|and|was|not|it|is|its|for|before|call|command)\b/g) ?? [];

const path = "/w/a.ts";
const becauses: readonly Because[] = [
  { type: "rule", rule: "user:bash(rm *)", verdict: "deny", tool: "bash" },
  { type: "read_only_mode" },
  { type: "edit_mode" },
  { type: "bypass_mode" },
  { type: "inside" },
  { type: "granted" },
  { type: "outside", path },
  { type: "wall", path },
  { type: "git", path },
  { type: "no_rule", tool: "bash", others: [], limit: null },
  { type: "no_rule", tool: "bash", others: ["flag:bash(ls)"], limit: "plain_words" },
  {
    type: "nobody",
    question: { type: "outside", path },
    allow: "read(/w)",
    mode: "bypass",
  },
  { type: "nobody", question: { type: "git", path }, allow: null, mode: null },
  { type: "answer", verdict: "allow" },
  { type: "answer", verdict: "deny" },
];

test("why a call was judged so is said in both languages", () => {
  for (const why of becauses) {
    assert.match(english.because(why), /^[^\u4e00-\u9fff]+$/);
    assert.deepEqual(englishWords(chinese.because(why)), [], chinese.because(why));
  }
});

const traces: readonly Trace[] = [
  { type: "refused_before" },
  { type: "not_begun" },
  { type: "still_runs" },
  { type: "end_recorded" },
  { type: "rebooted" },
  { type: "supervisor_gone" },
  ...(["written", "deleted", "old", "absent", "gone", "unreadable", "other"] as const).map(
    (now) => ({ type: "file", path, now }) as const,
  ),
];

test("what was seen of a lost call is said in both languages", () => {
  assert.match(english.evidence(traces), /^The call was refused before it ran\. .* old content\. /);
  assert.deepEqual(englishWords(chinese.evidence(traces)), []);
  assert.equal(chinese.evidence(traces).split("。").length, traces.length + 1);
});

const failure: Failure = {
  class: "rate_limit",
  message: "api.test answered 429: Slow down. Wait, or use another model or key.",
  status: 429,
  source: { peer: "api.test", said: "Slow down" },
  retryAfterMs: null,
};

test("a failure is worded in Chinese around the provider's own words", () => {
  assert.equal(english.failure(failure), failure.message);
  assert.equal(
    chinese.failure(failure),
    "api.test：请求过于频繁（HTTP 429）：Slow down。请稍等，或换一个模型或密钥。",
  );
  const misfit: Failure = {
    class: "bad_answer",
    message: "The answer did not fit the JSON Schema, also not when asked again: it is not JSON.",
    status: null,
    retryAfterMs: null,
  };
  assert.match(
    chinese.failure(misfit),
    /^再次询问之后，答案仍不符合 JSON Schema：it is not JSON。请/,
  );
  const { source: _, ...own } = { ...failure, class: "internal" as const, status: null };
  assert.match(chinese.failure(own), /^程序自身出错：api\.test answered/);
});

test("a refusal, a damage and a warning are said in Chinese", () => {
  const codes: readonly RefusalCode[] = ["empty_prompt", "nothing_to_stop", "busy"];
  for (const refused of codes) {
    assert.doesNotMatch(chinese.refusal({ refused, message: "no" }), /[a-z]/);
  }
  for (const kind of ["torn_tail", "bad_line", "broken_chain"] as const) {
    assert.match(chinese.damage({ kind, line: 3, message: "x" }), /第 3 行/);
  }
  assert.match(
    chinese.warning("the script has no more turns; its last answer was repeated"),
    /脚本/,
  );
  assert.equal(chinese.warning("odd"), "回复有异常：odd");
});

test("an error from below is worded by its code, one of the app as it is, an unknown one in English", () => {
  const error = (code: string, values?: Record<string, string>): PawlError =>
    new PawlError(code, "what happened", values === undefined ? {} : { values });
  assert.equal(
    chinese.error(error("session_not_found", { id: "01X" })),
    "没有会话 01X。见：pawl sessions --all",
  );
  assert.equal(chinese.error(error("session_not_found")), "what happened");
  assert.equal(chinese.error(error("unheard_of", {})), "what happened");
  assert.equal(english.error(error("unheard_of", { id: "01X" })), "what happened");
  assert.match(
    english.error(error("session_not_found", { id: "01X" })),
    /See: pawl sessions --all$/,
  );
});
