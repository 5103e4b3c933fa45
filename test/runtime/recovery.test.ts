import assert from "node:assert/strict";
import { test } from "node:test";
import { inputId, isIllegal, resultOfRun, transition, text, type Fact, type State } from "#core";
import { startSession, type AnyTool, type Journal, type Probe } from "#runtime";
import {
  answer,
  call,
  calls,
  facts,
  hang,
  memory,
  noSpool,
  ok,
  prompt,
  results,
  rig,
  tool,
  types,
  type Rig,
} from "./rig.ts";

/** A journal as a killed process leaves it: the facts of a run up to the first that `stopAt` picks, it included. */
async function died(
  options: Parameters<typeof rig>[0],
  stopAt: (fact: Fact) => boolean,
): Promise<Journal> {
  const made = await rig(options);
  const session = await made.start();
  await session.send(prompt("go"));
  for await (const item of session.feed()) {
    if (item.type === "snapshot" && (await facts(made.parts.journal)).some(stopAt)) break;
    if (item.type === "fact" && stopAt(item.entry.fact)) break;
  }
  const all = await facts(made.parts.journal);
  const kept = all.slice(0, all.findIndex(stopAt) + 1);
  const journal = await memory();
  await journal.append(kept.map((fact, index) => ({ at: 1_764_500_000_000 + index, fact })));
  const tools = all.find((fact) => fact.type === "session.started");
  if (tools?.type === "session.started") {
    await journal.putBlob(await made.parts.journal.getBlob(tools.agent.tools));
  }
  return journal;
}

const slow = (name: string, access: "read" | "write" | "exec"): AnyTool =>
  tool({ name, access, run: () => new Promise(() => undefined) });

async function resumed(
  journal: Journal,
  options: Partial<Parameters<typeof rig>[0]>,
): Promise<Rig> {
  return rig({ turns: [answer("done")], ...options, journal });
}

const bash = (probe: Probe, runs: string[] = []): AnyTool =>
  tool({
    name: "bash",
    access: "exec",
    run: () => {
      runs.push("run");
      return Promise.resolve(ok("ran"));
    },
    probe: () => Promise.resolve(probe),
  });

test("R75 R130 [S04] a call found running is settled when the journal is opened, and the loop goes on", async () => {
  const journal = await died(
    { turns: [calls([call("bash")])], tools: [slow("bash", "exec")] },
    (fact) => fact.type === "tool.started",
  );
  const made = await resumed(journal, {
    tools: [
      bash({ verdict: "happened", evidence: "its end was recorded", end: ok("finished alone") }),
    ],
  });
  const session = await made.start();
  const { state } = await session.settled();
  assert.deepEqual(session.found?.lostCalls, ["r1-0"]);
  assert.deepEqual(results(made.requests[0]), ["finished alone"]);
  assert.equal(resultOfRun(state).text, "done");
});

test("R86 a command whose fate nobody can tell is not run again, and the model is told", async () => {
  const journal = await died(
    { turns: [calls([call("bash"), call("bash")])], tools: [slow("bash", "exec")] },
    (fact) => fact.type === "tool.started",
  );
  const runs: string[] = [];
  const made = await resumed(journal, {
    tools: [
      bash(
        { verdict: "undetermined", evidence: "the supervisor is gone", end: ok("partial") },
        runs,
      ),
    ],
  });
  const session = await made.start();
  const { state } = await session.settled();
  assert.deepEqual(runs, []);
  const told = results(made.requests[0]);
  assert.match(told[0] ?? "", /may have happened.*the supervisor is gone.*partial/s);
  assert.match(told[1] ?? "", /^Not run:/);
  assert.equal(resultOfRun(state).outcome, "completed");
});

test("R86 a command that never began is run once", async () => {
  const journal = await died(
    { turns: [calls([call("bash")])], tools: [slow("bash", "exec")] },
    (fact) => fact.type === "tool.started",
  );
  const runs: string[] = [];
  const made = await resumed(journal, {
    tools: [bash({ verdict: "did_not_happen", evidence: "the claim is free", end: null }, runs)],
  });
  const session = await made.start();
  await session.settled();
  assert.deepEqual(runs, ["run"]);
  const started = (await facts(journal)).filter((fact) => fact.type === "tool.started");
  assert.deepEqual(
    started.map((fact) => fact.attempt),
    [1, 2],
  );
  assert.equal((await types(journal)).filter((type) => type === "permission.decided").length, 1);
});

test("a command that is still going is waited for, not started again", async () => {
  const journal = await died(
    { turns: [calls([call("bash")])], tools: [slow("bash", "exec")] },
    (fact) => fact.type === "tool.started",
  );
  const runs: string[] = [];
  const made = await resumed(journal, {
    tools: [bash({ verdict: "running", evidence: "its supervisor lives", end: null }, runs)],
  });
  const session = await made.start();
  await session.settled();
  assert.deepEqual(runs, ["run"]);
  assert.equal((await facts(journal)).filter((fact) => fact.type === "tool.started").length, 1);
});

test("R86 a call of class never is settled as undetermined without being looked into", async () => {
  const never = (run: () => Promise<ReturnType<typeof ok>>): AnyTool =>
    tool({ name: "post", access: "network", recovery: "never", run });
  const journal = await died(
    { turns: [calls([call("post")])], tools: [never(() => new Promise(() => undefined))] },
    (fact) => fact.type === "tool.started",
  );
  const made = await resumed(journal, { tools: [never(() => assert.fail("it ran twice"))] });
  const session = await made.start();
  await session.settled();
  assert.match(results(made.requests[0])[0] ?? "", /may have happened/);
});

test("a read that was cut off is simply run again", async () => {
  const journal = await died(
    {
      turns: [
        async function* () {
          yield { type: "end", reply: replyOf() } as const;
        },
      ],
      tools: [slow("read", "read")],
    },
    (fact) => fact.type === "tool.started",
  );
  const made = await resumed(journal, { tools: [tool({ name: "read" })] });
  const session = await made.start();
  await session.settled();
  assert.deepEqual(results(made.requests[0]), ["read ran"]);
});

const replyOf = () => ({
  model: "model",
  blocks: [call("read")],
  stop: { reason: "tool_use", raw: "tool_use" } as const,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  warnings: [],
});

test("[S02] a reply that was cut off by the crash is asked for again and leaves nothing unpaired", async () => {
  const journal = await died(
    { turns: [hang([text("half")])] },
    (fact) => fact.type === "request.started",
  );
  const again = await resumed(journal, { spool: noSpool("half a sen") });
  const session = await again.start();
  const { state } = await session.settled();
  const lost = (await facts(journal)).find((fact) => fact.type === "request.lost");
  assert.deepEqual(lost, { type: "request.lost", request: "r1", partial: "half a sen" });
  assert.equal(state.messages.length, 2);
  assert.equal(resultOfRun(state).text, "done");
});

test("[S22] a run that was being interrupted when the process died stays interrupted", async () => {
  const journal = await died({ turns: [hang()] }, (fact) => fact.type === "request.started");
  await journal.append([
    { at: 1_764_500_000_100, fact: { type: "interrupt.requested", now: true } },
  ]);
  const made = await resumed(journal, {});
  const session = await made.start();
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  assert.deepEqual(made.requests, []);
});

test("R79 the journal has a fact on both sides of the model call and of every tool run", async () => {
  const made = await rig({
    turns: [calls([call("write")]), answer("done")],
    tools: [tool({ name: "write", access: "write" })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(await types(made.parts.journal), [
    "session.started",
    "input.received",
    "request.started",
    "response.received",
    "permission.decided",
    "tool.started",
    "tool.finished",
    "request.started",
    "response.received",
  ]);
});

test("a fork settles what was open, names its origin, and goes on by itself", async () => {
  const journal = await died(
    { turns: [calls([call("bash")])], tools: [slow("bash", "exec")] },
    (fact) => fact.type === "response.received",
  );
  const made = await resumed(journal, {
    tools: [bash({ verdict: "running", evidence: "", end: null })],
  });
  const forkId = { ...made.parts, journal: renamed(journal) };
  const session = await startSession(forkId);
  assert.equal(session.state.phase.at, "stopped");
  assert.deepEqual(session.state.forkOf, { sessionId: "01TEST", seq: 4 });
  await session.send(prompt("other way"));
  await session.settled();
  assert.match(results(made.requests[0])[0] ?? "", /forked at this point/);
});

function renamed(journal: Journal): Journal {
  return new Proxy(journal, {
    get: (target, key) => {
      if (key === "id") return "01FORK";
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("R20 metadata does not depend on the messages", async () => {
  const made = await rig({
    turns: [calls([call("write")]), answer("done")],
    tools: [
      tool({
        name: "write",
        access: "write",
        run: () =>
          Promise.resolve({
            ...ok("written"),
            effects: [{ type: "file_deleted", path: "/w/a", before: null }],
          }),
      }),
    ],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  const { state } = await session.settled();
  const bare: State = { ...state, messages: [] };
  assert.deepEqual(resultOfRun(bare), resultOfRun(state));
  assert.deepEqual(bare.filesModified, ["/w/a"]);
  assert.ok(
    !isIllegal(
      transition(bare, {
        at: 1,
        fact: { type: "session.resumed", program: "", cwd: "/", gitHead: null },
      }),
    ),
  );
});

test("R79 a session that goes on with another model asks that one, also when the old one's request was owed", async () => {
  const journal = await died(
    { turns: [answer("never")], tools: [] },
    (fact) => fact.type === "input.received",
  );
  const made = await resumed(journal, {});
  const session = await startSession({
    ...made.parts,
    agent: { ...made.parts.agent, model: "test/other" },
  });
  await session.settled();
  assert.deepEqual(
    made.requests.map((request) => request.model),
    ["test/other"],
  );
  const started = (await facts(journal)).find((fact) => fact.type === "request.started");
  assert.equal(started?.model, "test/other");
});

test("R86 [S08] after a damaged line what was under way is stopped, and no effect happens twice", async () => {
  const whole = await rig({
    turns: [calls([call("bash")]), answer("done")],
    tools: [tool({ name: "bash", access: "exec" })],
  });
  const session = await whole.start();
  await session.send(prompt("go"));
  await session.settled();
  const kept = (await facts(whole.parts.journal)).filter((_fact, index) => index !== 3);
  const journal = await memory();
  await journal.append(kept.map((fact, index) => ({ at: 1_764_500_000_000 + index, fact })));
  const runs: string[] = [];
  const made = await resumed(journal, {
    turns: [calls([call("bash")]), answer("after")],
    tools: [bash({ verdict: "did_not_happen", evidence: "", end: null }, runs)],
  });
  const again = await made.start();
  const { state } = await again.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  assert.deepEqual([runs, made.requests.length], [[], 0]);
  assert.ok((again.found?.refused ?? 0) > 0);
});

test("[S08] a session whose first fact is gone is not taken for a new one", async () => {
  const journal = await memory();
  await journal.append([
    {
      at: 1,
      fact: { type: "input.received", input: inputId(1), kind: "prompt", blocks: [text("go")] },
    },
  ]);
  const made = await resumed(journal, {});
  await assert.rejects(made.start(), { code: "journal_unreadable" });
});
