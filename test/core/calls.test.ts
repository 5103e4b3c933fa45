import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hash,
  isIllegal,
  openCalls,
  outstanding,
  plainText,
  text,
  transition,
  type FactOf,
  type State,
  type ToolEnd,
} from "#core";

import {
  after,
  asked,
  call,
  decided,
  interrupt,
  nth,
  probed,
  prompted,
  questioned,
  ran,
  refusal,
  replied,
  requestedEarly,
  requestLost,
  sessionStarted,
  stampOf,
  told,
  toolFinished,
  toolLost,
  toolStarted,
} from "./facts.ts";

const streaming = told(sessionStarted(), prompted(1), asked(1));
const replying = (...tools: readonly string[]): State =>
  after(
    streaming,
    replied(
      1,
      tools.map((tool) => call(tool)),
      { reason: "tool_use" },
    ),
  );
const [first, second, third] = [nth(1, 0), nth(1, 1), nth(1, 2)];

const results = (state: State): readonly string[] =>
  (state.messages.at(-1)?.blocks ?? []).flatMap((block) =>
    block.type === "tool_result"
      ? [`${block.isError ? "error: " : ""}${plainText(block.content)}`]
      : [],
  );
const owed = (state: State): readonly string[] => outstanding(state).map((effect) => effect.id);
const at = (state: State): readonly string[] => openCalls(state).map((open) => open.status.at);

test("R89 R95 D8 reads of one reply are judged and run side by side, up to the next call that is not a read", () => {
  const state = replying("read", "grep", "write", "read");
  assert.deepEqual(owed(state), ["decide:r1-0:whole", "decide:r1-1:whole"]);
  const bothRun = after(
    state,
    decided(first),
    decided(second),
    toolStarted(second),
    toolStarted(first),
  );
  assert.deepEqual(owed(bothRun), ["run:r1-0#1", "run:r1-1#1"]);
  const readsDone = after(bothRun, toolFinished(second), toolFinished(first));
  assert.deepEqual(owed(readsDone), ["decide:r1-2:whole"]);
  const writeDone = after(readsDone, ...ran(third));
  assert.deepEqual(owed(writeDone), ["decide:r1-3:whole"]);
});

test("R92 a read waits for the write before it, and a write for everything before it", () => {
  const state = replying("write", "read");
  assert.equal(refusal(state, decided(second)), "call r1-1 is not next to run");
  assert.equal(refusal(state, questioned(second)), "call r1-1 is not next to run");
  const reading = after(replying("read", "write"), decided(first), toolStarted(first));
  assert.equal(refusal(reading, decided(second)), "call r1-1 is not next to run");
});

test("L8 even in a state that was made by hand a call that is not next to run does not start", () => {
  const state = replying("write", "write");
  const { phase } = state;
  assert.ok(phase.at === "acting");
  const calls = phase.calls.with(1, { ...phase.calls[1], status: { at: "allowed" } } as never);
  const forged: State = { ...state, phase: { ...phase, calls } };
  assert.equal(refusal(forged, toolStarted(second)), "call r1-1 is not next to run");
});

test("R69 a denied call yields a result that the model sees, and the loop goes on", () => {
  const state = after(
    replying("bash"),
    decided(first, "deny", { rule: "user:bash(rm *)", reason: "it deletes" }),
  );
  assert.equal(state.phase.at, "thinking");
  assert.deepEqual(results(state), [
    "error: Denied (user:bash(rm *)): it deletes. It was not run and nothing was changed. Do not try the same again; find another way, or say what you need and why.",
  ]);
  assert.deepEqual(state.prompt.denials, [
    { call: first, tool: "bash", rule: "user:bash(rm *)", reason: "it deletes" },
  ]);
});

test("a denial that lets queued input begin belongs to the prompt it was made in", () => {
  const refusedToo = after(
    streaming,
    replied(1, [call("read"), call("write", {}, { complete: false })], { reason: "max_tokens" }),
    ...ran(first),
    asked(2),
    replied(2, [call("bash"), call("write", {}, { complete: false })], { reason: "max_tokens" }),
    prompted(2, "next"),
  );
  const next = after(refusedToo, decided(nth(2, 0), "deny"));
  assert.equal(next.phase.at, "thinking");
  assert.deepEqual(next.prompt.denials, []);
});

test("R64 an edited input runs as it was allowed, with what the tool says of it now", () => {
  const stamp = { ...stampOf("bash"), resources: ["npm run lint"] };
  const edited = { input: { command: "npm run lint" }, stamp };
  const [allowed] = openCalls(after(replying("bash"), decided(first, "allow", { edited })));
  assert.deepEqual(
    [allowed?.input, allowed?.stamp, allowed?.status],
    [edited.input, stamp, { at: "allowed" }],
  );
});

test("an edited input that the tool cannot use is an error the model sees", () => {
  const edited = { input: {}, stamp: { invalid: "command is missing" } };
  assert.deepEqual(results(after(replying("bash"), decided(first, "allow", { edited }))), [
    "error: command is missing",
  ]);
});

test("L8 a read that an edit turns into a change is not run: reads may stand beside it", () => {
  const edited = { input: {}, stamp: stampOf("write") };
  const state = after(
    replying("read", "read"),
    decided(second),
    toolStarted(second),
    decided(first, "allow", { edited }),
  );
  assert.deepEqual(at(state), ["settled", "started"]);
});

test("R38 R111 an invalid call, or one of a tool that does not exist, is an error the model sees", () => {
  assert.deepEqual(results(replying("unheard_of")), ['error: There is no tool "unheard_of".']);
});

test("R111 a call that failed is an error result, and the loop goes on", () => {
  const state = after(
    replying("bash"),
    ...ran(first, { outcome: "error", content: [text("exit 1")] }),
  );
  assert.equal(state.phase.at, "thinking");
  assert.deepEqual(results(state), ["error: exit 1"]);
});

test("R19 R20 files and documents that calls changed are kept in the state, each file once", () => {
  const written = {
    type: "file_written",
    path: "a.ts",
    bytes: 1,
    lines: null,
    before: null,
    after: hash("a"),
  } as const;
  const effects = [
    written,
    written,
    { type: "file_deleted", path: "b.ts", before: null },
    { type: "process_ran", command: "make", exitCode: 0, durationMs: 1, changed: ["c.ts", "a.ts"] },
    { type: "request_sent", url: "https://x.test/", status: 200 },
    { type: "agent_ran", sessionId: "s9", turns: 1, costUsd: 0 },
  ] as const;
  const state = after(
    replying("bash", "bash"),
    ...ran(first, { effects, docs: { todo: ["x"] } }),
    ...ran(second, { effects }),
  );
  assert.deepEqual(state.filesModified, ["a.ts", "b.ts", "c.ts"]);
  assert.deepEqual(state.docs, { todo: ["x"] });
});

test("R81 of three changes the first is done, the second broke off, the third never ran: all three are told", () => {
  const state = after(
    replying("write", "fetch", "write"),
    ...ran(first),
    decided(second),
    toolStarted(second, { recovery: "never" }),
    toolLost(second),
  );
  const [done, broken, never] = results(state);
  assert.equal(done, "result of r1-0");
  assert.match(
    broken ?? "",
    /^error: The program died while fetch ran\. It may have happened, wholly, partly or not at all/,
  );
  assert.match(never ?? "", /^error: Not run: the call before it was interrupted/);
});

const started = (tool: string, recovery: FactOf<"tool.started">["recovery"]): State =>
  after(replying(tool, "write"), decided(first), toolStarted(first, { recovery }));

test("D6 a lost call of class rerun runs again, with a new attempt", () => {
  const lost = after(started("read", "rerun"), toolLost(first));
  assert.deepEqual(owed(lost), ["run:r1-0#2"]);
  assert.equal(refusal(lost, toolStarted(first)), "attempt 1 is out of order");
  assert.deepEqual(at(after(lost, toolStarted(first, { attempt: 2 }))), ["started", "requested"]);
});

test("R86 D6 a lost call of class never is not run again: it may have happened, and what follows is not run", () => {
  const lost = after(started("fetch", "never"), toolLost(first));
  assert.equal(lost.phase.at, "thinking");
  assert.match(
    results(lost)[0] ?? "",
    /It was not run again\. Look at the real state before you decide\.$/,
  );
});

const lostBash = after(started("bash", "probe"), toolLost(first));
const end: ToolEnd = {
  outcome: "error",
  content: [text("exit 2")],
  effects: [{ type: "file_deleted", path: "x.ts", before: null }],
};

test("D6 a lost call of class probe is looked into before anything else happens", () => {
  assert.deepEqual(owed(lostBash), ["probe:r1-0#1"]);
});

test("D6 what had happened has the end that was found, and its effects count", () => {
  const found = after(lostBash, probed(first, "happened", end));
  assert.deepEqual(at(found), ["settled", "requested"]);
  assert.deepEqual(found.filesModified, ["x.ts"]);
  const silent = after(lostBash, probed(first, "happened"), ...ran(second));
  assert.equal(results(silent)[0], "It had happened before the program died: I looked");
});

test("D6 what did not happen is run, under the permission it has", () => {
  assert.deepEqual(owed(after(lostBash, probed(first, "did_not_happen"))), ["run:r1-0#2"]);
});

test("D6 what still runs is taken over as the next attempt", () => {
  const running = after(lostBash, probed(first, "running"));
  assert.deepEqual(owed(running), ["run:r1-0#2"]);
  assert.deepEqual(at(after(running, toolFinished(first, { attempt: 2 }))), [
    "settled",
    "requested",
  ]);
});

test("R86 D6 what nobody can tell is not run again; evidence and output so far are told, later calls are not run", () => {
  const lost = after(lostBash, probed(first, "undetermined", end));
  assert.match(results(lost)[0] ?? "", /It was not run again\..*Evidence: I lookedexit 2$/s);
  assert.match(results(lost)[1] ?? "", /^error: Not run: the call before it was interrupted/);
  assert.deepEqual(lost.filesModified, ["x.ts"]);
  assert.equal(after(lostBash, probed(first, "undetermined")).phase.at, "thinking");
});

test("[S20] an interrupt leaves what runs to end and settles the rest as not run", () => {
  const stopping = after(started("write", "probe"), interrupt("graceful"));
  assert.deepEqual(at(stopping), ["started", "settled"]);
  assert.deepEqual(
    outstanding(stopping).map((effect) => effect.stop),
    ["graceful"],
  );
  const stopped = after(stopping, toolFinished(first));
  assert.deepEqual(stopped.phase.at === "stopped" && stopped.phase.outcome, "interrupted");
  assert.deepEqual(results(stopped), [
    "result of r1-0",
    "error: Not run: the user interrupted. Nothing was changed by this call.",
  ]);
});

test("an interrupt of a call that is to run again does not claim that nothing was changed", () => {
  const again = after(started("agent", "rerun"), toolLost(first));
  assert.equal(
    results(after(again, interrupt("now")))[0],
    "error: Not run again: the user interrupted.",
  );
});

test("R94 calls that are lost or probed after an interrupt have an end and are not run", () => {
  const reading = after(started("read", "rerun"), interrupt("now"), toolLost(first));
  assert.equal(results(reading)[0], "error: Interrupted by the user.");
  const looking = after(started("bash", "probe"), interrupt("now"), toolLost(first));
  assert.equal(
    results(after(looking, probed(first, "did_not_happen")))[0],
    "error: Not run: I looked. The user interrupted.",
  );
});

test("an interrupt while the last calls of a run end wins over the end the run would have had", () => {
  const cut = call("write", {}, { complete: false });
  const lastCalls = after(
    streaming,
    replied(1, [cut], { reason: "max_tokens" }),
    asked(2),
    replied(2, [call("bash"), cut], { reason: "max_tokens" }),
    decided(nth(2, 0)),
    toolStarted(nth(2, 0)),
  );
  const ending = after(lastCalls, interrupt("graceful"), toolFinished(nth(2, 0)));
  assert.equal(ending.phase.at === "stopped" && ending.phase.outcome, "interrupted");
  const undisturbed = after(lastCalls, toolFinished(nth(2, 0)));
  assert.equal(undisturbed.phase.at === "stopped" && undisturbed.phase.outcome, "truncated");
});

test("a question is asked once: the answer is final", () => {
  const questionedState = after(replying("bash"), questioned(first));
  assert.equal(refusal(questionedState, questioned(first)), "call r1-0 is asked, not requested");
  const allowed = after(questionedState, decided(first));
  assert.equal(
    refusal(allowed, decided(first, "deny")),
    "call r1-0 is allowed, not waiting for a decision",
  );
});

test("a grant is kept for the session", () => {
  const grant = { tool: "bash", resource: "npm test" };
  assert.deepEqual(after(replying("bash"), decided(first, "allow", { grant })).grants, [grant]);
});

// --- reads that start while the reply streams ----------------------------------------------------

const early = after(streaming, requestedEarly(1, 0, { tool: "read" }));
const earlyRan = after(early, ...ran(first));

test("R88 a read runs while the reply streams, and its result is taken over when the reply holds it", () => {
  const state = after(earlyRan, replied(1, [call("read"), call("write")], { reason: "tool_use" }));
  assert.deepEqual(at(state), ["settled", "requested"]);
  assert.equal(results(after(state, ...ran(second)))[0], "result of r1-0");
});

test("R88 a read that still runs when the reply ends goes on", () => {
  const running = after(early, decided(first), toolStarted(first));
  const state = after(running, replied(1, [call("read")], { reason: "tool_use" }));
  assert.deepEqual(owed(state), ["run:r1-0#1"]);
});

test("R97 early results are dropped when the reply is lost, and the same read runs again for the next one", () => {
  const again = after(earlyRan, requestLost(1), asked(2), replied(2, [call("read")]));
  assert.deepEqual(at(again), ["requested"]);
});

test("an early call that the reply does not hold counts for nothing; the one in its place is judged anew", () => {
  const state = after(earlyRan, replied(1, [call("bash")], { reason: "tool_use" }));
  assert.deepEqual(owed(state), ["decide:r1-0:whole"]);
  assert.equal(
    refusal(after(state, decided(first)), toolStarted(first)),
    "attempt 1 is out of order",
  );
  const none = after(earlyRan, replied(1, [text("done")]));
  assert.equal(none.phase.at, "stopped");
});

test("R92 after a call that differs no early result is taken over, lest a read had overtaken a write", () => {
  const two = after(earlyRan, requestedEarly(1, 1, { tool: "grep" }), ...ran(second));
  const state = after(two, replied(1, [call("write"), call("grep")], { reason: "tool_use" }));
  assert.deepEqual(at(state), ["requested", "requested"]);
  assert.equal(refusal(state, decided(second)), "call r1-1 is not next to run");
});

test("R88 only reads start early, in the order of the reply, and only with an outright allowance", () => {
  assert.equal(
    refusal(streaming, requestedEarly(1, 0, { tool: "write" })),
    "only reads may start early",
  );
  assert.equal(
    refusal(streaming, requestedEarly(1, 0, { tool: "unheard_of" })),
    "only reads may start early",
  );
  assert.equal(
    refusal(streaming, requestedEarly(1, 1, { tool: "read" })),
    "call r1-1 is not the next of the reply",
  );
  assert.equal(
    refusal(early, requestedEarly(1, 0, { tool: "read" })),
    "call r1-0 is not the next of the reply",
  );
  assert.equal(
    refusal(streaming, requestedEarly(2, 0, { tool: "read" })),
    "early calls belong to the reply that streams",
  );
  assert.equal(refusal(early, questioned(first)), "nobody is asked while the reply streams");
  assert.equal(
    refusal(early, decided(first, "deny")),
    "a call is only allowed, or left open, while the reply streams",
  );
});

test("no read starts early beyond the limit of tool calls", () => {
  const limits = { turns: 50, costUsd: null, tokens: null, timeMs: null, toolCalls: 1 };
  const one = after(
    told(sessionStarted({ limits }), prompted(1), asked(1)),
    requestedEarly(1, 0, { tool: "read" }),
  );
  assert.equal(
    refusal(one, requestedEarly(1, 1, { tool: "read" })),
    "the limit of tool calls is reached",
  );
});

test("an interrupt while the reply streams lets no early read begin", () => {
  const stopping = after(early, interrupt("graceful"));
  assert.deepEqual(at(stopping), ["settled"]);
  const stopped = after(stopping, replied(1, [call("read")], { reason: "tool_use" }));
  assert.equal(
    results(stopped)[0],
    "error: Not run: the user interrupted. Nothing was changed by this call.",
  );
});

test("calls of a reply that arrives after an interrupt are not run", () => {
  const stopped = after(
    streaming,
    interrupt("graceful"),
    replied(1, [call("bash")], { reason: "tool_use" }),
  );
  assert.equal(stopped.phase.at, "stopped");
  assert.match(results(stopped)[0] ?? "", /^error: Not run: the user interrupted/);
});

test("R96 the same reply leads to the same state with early reads as without", () => {
  const reply = replied(1, [call("read")], { reason: "tool_use" });
  const without = after(streaming, reply, ...ran(first));
  const withEarly = after(earlyRan, reply);
  const plain = ({ messages, phase, filesModified }: State): unknown => ({
    messages: messages.map(({ role, blocks }) => ({ role, blocks })),
    phase,
    filesModified,
  });
  assert.deepEqual(plain(withEarly), plain(without));
});

test("a fact about a call in a place without calls is refused", () => {
  const next = transition(told(sessionStarted()), { at: 1, fact: decided(first) });
  assert.ok(isIllegal(next) && next.illegal === "call r1-0 is not open");
});
