import assert from "node:assert/strict";
import { test } from "node:test";

import { admit, decide, inputId, isRefusal, text, type Command, type State } from "#core";

import {
  after,
  asked,
  call,
  interrupt,
  nth,
  prompted,
  questioned,
  replied,
  sessionStarted,
  stampOf,
  told,
} from "./facts.ts";

const idle = told(sessionStarted());
const streaming = after(idle, prompted(1), asked(1));
const stopped = after(streaming, replied(1, [text("done")]));
const asking = (tool: string, rule: string): State =>
  after(streaming, replied(1, [call(tool)], { reason: "tool_use" }), questioned(nth(1, 0), rule));

const refusedAs = (state: State, command: Command): string | null => {
  const admitted = admit(state, command);
  return isRefusal(admitted) ? admitted.refused : null;
};

test("a prompt is taken in at any time, and an empty one at none", () => {
  const blocks = [text("Fix it")];
  assert.deepEqual(admit(idle, { type: "prompt", blocks }), [
    { type: "input.received", input: inputId(1), kind: "prompt", blocks },
  ]);
  assert.deepEqual(admit(streaming, { type: "prompt", blocks }), [
    { type: "input.received", input: inputId(2), kind: "prompt", blocks },
  ]);
  assert.equal(refusedAs(idle, { type: "prompt", blocks: [] }), "empty_prompt");
  assert.equal(
    refusedAs(idle, { type: "prompt", blocks: [text(" \n"), text("")] }),
    "empty_prompt",
  );
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  assert.equal(refusedAs(idle, { type: "prompt", blocks: [text(""), image] }), null);
});

test("a stopped run can be continued and compacted, no other one", () => {
  assert.deepEqual(admit(stopped, { type: "continue" }), [
    { type: "input.received", input: inputId(2), kind: "continue", blocks: [] },
  ]);
  assert.deepEqual(admit(stopped, { type: "compact" }), [
    { type: "input.received", input: inputId(2), kind: "compact", blocks: [] },
  ]);
  assert.equal(refusedAs(idle, { type: "continue" }), "nothing_to_continue");
  assert.equal(refusedAs(streaming, { type: "continue" }), "nothing_to_continue");
  assert.equal(refusedAs(idle, { type: "compact" }), "busy");
  assert.equal(refusedAs(streaming, { type: "compact" }), "busy");
});

test("queued input can be withdrawn, each once; other input cannot", () => {
  const queued = after(streaming, prompted(2), prompted(3));
  const [two, three] = [inputId(2), inputId(3)];
  assert.deepEqual(admit(queued, { type: "withdraw", inputs: [three, two, three] }), [
    { type: "input.withdrawn", inputs: [three, two] },
  ]);
  assert.equal(refusedAs(queued, { type: "withdraw", inputs: [two, inputId(1)] }), "no_such_input");
  assert.equal(refusedAs(queued, { type: "withdraw", inputs: [] }), "no_such_input");
});

test("R36 [S22] an interrupt gives queued input back first, so that it never starts by itself", () => {
  assert.deepEqual(admit(streaming, { type: "interrupt", now: true }), [interrupt("now")]);
  const queued = after(streaming, prompted(2), prompted(3));
  assert.deepEqual(admit(queued, { type: "interrupt", now: false }), [
    { type: "input.withdrawn", inputs: [inputId(2), inputId(3)] },
    interrupt("graceful"),
  ]);
});

test("an interrupt is refused where nothing runs and where everything is being stopped", () => {
  assert.equal(refusedAs(idle, { type: "interrupt", now: true }), "nothing_to_stop");
  assert.equal(refusedAs(stopped, { type: "interrupt", now: true }), "nothing_to_stop");
  const stopping = after(streaming, interrupt("now"));
  assert.equal(refusedAs(stopping, { type: "interrupt", now: true }), "nothing_to_stop");
  const gently = after(streaming, interrupt("graceful"));
  assert.deepEqual(admit(gently, { type: "interrupt", now: true }), [interrupt("now")]);
});

const yes: Extract<Command, { type: "answer" }> = {
  type: "answer",
  call: nth(1, 0),
  verdict: "allow",
  scope: "session",
  reason: "",
};

test("an answer is a decision by the user", () => {
  assert.deepEqual(admit(asking("bash", "built-in:ask"), { ...yes, scope: "once" }), [
    {
      type: "permission.decided",
      call: nth(1, 0),
      verdict: "allow",
      by: "user",
      rule: "user:answer",
      reason: "the user said yes",
      because: { type: "answer", verdict: "allow" },
      edited: null,
      grant: null,
    },
  ]);
  const edited = { input: { command: "ls" }, stamp: stampOf("bash") };
  const [no] = granted(asking("bash", "built-in:ask"), {
    ...yes,
    verdict: "deny",
    reason: "too slow",
    edited,
  });
  assert.deepEqual(
    [no?.verdict, no?.reason, no?.edited, no?.grant],
    ["deny", "too slow", edited, null],
  );
  const [plainNo] = granted(asking("bash", "built-in:ask"), { ...yes, verdict: "deny" });
  assert.equal(plainNo?.reason, "the user said no");
});

test("R66 what the rules of today say of an open question is recorded as theirs, not as the user's", () => {
  const call = nth(1, 0);
  const policy = { rules: [], roots: ["/repo"], questions: "person" } as const;
  const request = { tool: "bash", input: {}, access: "exec", resources: ["npm test"] } as const;
  const decision = decide({ ...policy, mode: "read-only" }, request, []);
  const state = asking("bash", "built-in:ask");
  assert.deepEqual(admit(state, { type: "judge", call, decision }), [
    {
      type: "permission.decided",
      call,
      verdict: "deny",
      by: "mode",
      rule: "mode:read-only",
      because: { type: "read_only_mode" },
      reason: "the session is read-only",
      edited: null,
      grant: null,
    },
  ]);
  const open = decide({ ...policy, mode: "ask" }, request, []);
  assert.equal(refusedAs(state, { type: "judge", call, decision: open }), "still_a_question");
  assert.equal(refusedAs(streaming, { type: "judge", call, decision }), "no_such_question");
});

function granted(
  state: State,
  command: Command,
): readonly Extract<Parameters<typeof after>[1], { type: "permission.decided" }>[] {
  const facts = admit(state, command);
  if (isRefusal(facts)) return [];
  return facts.flatMap((fact) => (fact.type === "permission.decided" ? [fact] : []));
}

const grants: readonly {
  readonly title: string;
  readonly tool: string;
  readonly rule: string;
  readonly grant: object | null;
}[] = [
  {
    title: "a command: this very command",
    tool: "bash",
    rule: "built-in:ask",
    grant: { tool: "bash", resource: "npm test" },
  },
  {
    title: "a request: this very address",
    tool: "fetch",
    rule: "built-in:ask",
    grant: { tool: "fetch", resource: "https://x.test/" },
  },
  {
    title: "an edit in the workspace: edits in the workspace",
    tool: "write",
    rule: "built-in:ask",
    grant: { tool: "write", resource: null },
  },
  {
    title: "a file outside: this very file",
    tool: "write",
    rule: "built-in:outside",
    grant: { tool: "write", resource: "/repo/a.ts" },
  },
  {
    title: "a written ask rule: nothing, it asks every time",
    tool: "write",
    rule: "user:write(*.lock)",
    grant: null,
  },
];

for (const { title, tool, rule, grant } of grants) {
  test(`R65 "yes, for this session" allows the smallest thing: ${title}`, () => {
    const [decision] = granted(asking(tool, rule), yes);
    assert.deepEqual(decision?.grant, grant);
    assert.equal(decision?.rule, grant === null ? "user:answer" : "user:session");
  });
}

test("an answer to a question that is not open is refused", () => {
  assert.equal(refusedAs(streaming, yes), "no_such_question");
  const requested = after(streaming, replied(1, [call("bash")], { reason: "tool_use" }));
  assert.equal(refusedAs(requested, yes), "no_such_question");
});

test("the agent can be changed at any time", () => {
  const agent = { mode: "edit" } as const;
  assert.deepEqual(admit(streaming, { type: "change_agent", agent }), [
    { type: "agent.changed", agent },
  ]);
});
