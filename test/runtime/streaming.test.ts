import assert from "node:assert/strict";
import { test } from "node:test";
import { resultOfRun } from "#core";
import {
  answer,
  call,
  calls,
  end,
  facts,
  failure,
  hang,
  ok,
  prompt,
  realSleep,
  results,
  rig,
  settle,
  tool,
  types,
  untilFact,
  word,
} from "./rig.ts";

test("R88 a read starts when its call is complete, before the reply ends", async () => {
  const order: string[] = [];
  const reading = Promise.withResolvers<void>();
  const read = tool({
    name: "read",
    run: () => {
      order.push("read starts");
      reading.resolve();
      return Promise.resolve(ok("text"));
    },
  });
  const turn = calls([call("read")], async () => {
    await reading.promise;
    order.push("reply ends");
  });
  const made = await rig({ turns: [turn, answer("done")], tools: [read] });
  const session = await made.start();
  await session.send(prompt("go"));
  const { state } = await session.settled();
  assert.deepEqual(order, ["read starts", "reply ends"]);
  assert.equal(resultOfRun(state).outcome, "completed");
});

test("R89 R129 R90 three reads of one reply run at the same time", async () => {
  let running = 0;
  let most = 0;
  const all = Promise.withResolvers<void>();
  const read = tool({
    name: "read",
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) all.resolve();
      await all.promise;
      return ok("text");
    },
  });
  const made = await rig({
    turns: [calls([call("read"), call("read"), call("read")]), answer("done")],
    tools: [read],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.equal(most, 3);
});

test("R91 R8 results go back in request order whatever ends first", async () => {
  const read = tool({
    name: "read",
    run: async (input) => {
      await realSleep(Number(input["ms"]));
      return ok(`after ${word(input["ms"])}`);
    },
  });
  const made = await rig({
    turns: [
      calls([call("read", { ms: 30 }), call("read", { ms: 1 }), call("read", { ms: 15 })]),
      answer("done"),
    ],
    tools: [read],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), ["after 30", "after 1", "after 15"]);
});

test("R92 R95 a read after a write of the same reply sees what was written", async () => {
  let content = "old";
  const write = tool({
    name: "write",
    access: "write",
    run: async () => {
      await realSleep(10);
      content = "new";
      return ok("written");
    },
  });
  const read = tool({ name: "read", run: () => Promise.resolve(ok(content)) });
  const made = await rig({
    turns: [calls([call("read"), call("write"), call("read")]), answer("done")],
    tools: [read, write],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), ["old", "written", "new"]);
});

test("R93 [P14] a stream cut inside a reply runs none of its writes and is asked again", async () => {
  let runs = 0;
  const write = tool({
    name: "write",
    access: "write",
    run: () => {
      runs += 1;
      return Promise.resolve(ok("written"));
    },
  });
  const cut = async function* () {
    yield { type: "block", index: 0, block: call("write") } as const;
    yield failure("truncated", [call("write")]);
  };
  const made = await rig({ turns: [cut, answer("done")], tools: [write] });
  const session = await made.start();
  await session.send(prompt("go"));
  const state = await settle(session, made.clock);
  assert.equal(runs, 0);
  assert.equal(resultOfRun(state).text, "done");
});

test("R94 [S01] an interrupt while the reply streams ends every started call with an outcome", async () => {
  const read = tool({
    name: "read",
    run: (_input, context) =>
      new Promise((resolve) => {
        context.signal.addEventListener("abort", () => resolve(ok("too late")), { once: true });
      }),
  });
  const made = await rig({ turns: [hang([call("read")]), answer("again")], tools: [read] });
  const session = await made.start();
  const started = untilFact(session, "tool.started");
  await session.send(prompt("go"));
  await started;
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  await session.send(prompt("once more"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), []);
});

test("R96 the same replies lead to the same conversation with and without streaming", async () => {
  const conversation = async (streams: boolean) => {
    const wanted = [call("read", { n: 1 }), call("read", { n: 2 })];
    const whole = async function* () {
      yield end(wanted, "tool_use");
    };
    const made = await rig({
      turns: [streams ? calls(wanted, () => realSleep(5)) : whole, answer("done")],
      tools: [tool({ name: "read", run: (input) => Promise.resolve(ok(`n ${word(input["n"])}`)) })],
    });
    const session = await made.start();
    await session.send(prompt("go"));
    const { state } = await session.settled();
    return state.messages.map(({ role, blocks }) => ({ role, blocks }));
  };
  assert.deepEqual(await conversation(true), await conversation(false));
});

test("R97 results of reads that started early are dropped when the reply fails", async () => {
  const read = tool({ name: "read", run: () => Promise.resolve(ok("early result")) });
  const reading = Promise.withResolvers<void>();
  const fails = async function* () {
    yield { type: "block", index: 0, block: call("read") } as const;
    await reading.promise;
    yield failure("server", [call("read")]);
  };
  const made = await rig({ turns: [fails, answer("done")], tools: [read] });
  const session = await made.start();
  const finished = untilFact(session, "tool.finished");
  await session.send(prompt("go"));
  await finished;
  reading.resolve();
  const state = await settle(session, made.clock);
  assert.deepEqual(results(made.requests[1]), []);
  assert.equal(state.messages.length, 2);
});

test("a reply that begins anew does not keep the early result of another call in its place", async () => {
  const read = tool({
    name: "read",
    run: (input) => Promise.resolve(ok(`read ${word(input["path"])}`)),
  });
  const anew = async function* () {
    yield { type: "block", index: 0, block: call("read", { path: "first" }) } as const;
    await realSleep(10);
    yield { type: "restart" } as const;
    yield end([call("read", { path: "second" })], "tool_use");
  };
  const made = await rig({ turns: [anew, answer("done")], tools: [read] });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), ["read second"]);
});

test("R61 a read that is not allowed outright waits for the whole reply before anyone is asked", async () => {
  const made = await rig({
    turns: [calls([call("read")], () => realSleep(10)), answer("done")],
    tools: [tool({ name: "read" })],
    mode: "ask",
    rules: [{ verdict: "ask", tool: "read", pattern: null, source: "flag" }],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  const { waiting } = await session.settled();
  const seen = await types(made.parts.journal);
  assert.equal(waiting, true);
  assert.ok(seen.indexOf("response.received") < seen.indexOf("permission.asked"));
  assert.ok(!(await facts(made.parts.journal)).some((fact) => fact.type === "tool.started"));
});
