import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isIllegal,
  resultOfRun,
  transition,
  emptyState,
  type Entry,
  type Stamped,
  type State,
} from "#core";
import type { FeedItem, Signal } from "#runtime";
import { Feed } from "../../src/runtime/feed.ts";
import { Ledger } from "../../src/runtime/ledger.ts";
import {
  answer,
  memory,
  ok,
  prompt,
  realSleep,
  rig,
  tool,
  call,
  calls,
  results,
  settle,
  facts,
} from "./rig.ts";
import { fakeClock } from "#testing";

const entry = (seq: number): Entry => ({
  v: 1,
  seq,
  at: 0,
  prev: "",
  fact: { type: "hook.ran", point: "p", call: null, note: "" },
  sum: "",
});

const take = async (items: AsyncIterable<FeedItem>): Promise<readonly FeedItem[]> => {
  const seen: FeedItem[] = [];
  for await (const item of items) seen.push(item);
  return seen;
};

const delta = (words: string): Signal => ({ type: "text", delta: words });

test("[H08] a reader sees a snapshot, then every fact from that moment on, though it reads late", async () => {
  const feed = new Feed(() => emptyState);
  const items = feed.read();
  feed.fact(entry(1), emptyState);
  feed.fact(entry(2), emptyState);
  feed.close();
  const seen = await take(items);
  assert.deepEqual(
    seen.map((item) => (item.type === "fact" ? item.entry.seq : item.type)),
    ["snapshot", 1, 2],
  );
});

test("text signals that nobody has read yet are joined", async () => {
  const feed = new Feed(() => emptyState);
  const items = feed.read();
  feed.signal(delta("a"));
  feed.signal(delta("b"));
  feed.close();
  const seen = await take(items);
  assert.deepEqual(seen.slice(1), [{ type: "signal", signal: delta("ab") }]);
});

test("a slow reader loses signals, with a gap said, and never a fact", async () => {
  const feed = new Feed(() => emptyState);
  const items = feed.read();
  for (let count = 0; count < 400; count += 1) {
    feed.signal({ type: "call", tool: `t${count}` });
  }
  feed.fact(entry(1), emptyState);
  feed.close();
  const seen = await take(items);
  assert.equal(seen.filter((item) => item.type === "signal").length, 256);
  assert.equal(seen.filter((item) => item.type === "gap").length, 1);
  assert.equal(seen.filter((item) => item.type === "fact").length, 1);
});

test("a reader too many facts behind starts again from a snapshot that holds them", async () => {
  const feed = new Feed(() => emptyState);
  const items = feed.read();
  for (let seq = 1; seq <= 1001; seq += 1) feed.fact(entry(seq), { ...emptyState, seq });
  feed.close();
  const seen = await take(items);
  assert.deepEqual(
    seen.map((item) => (item.type === "snapshot" ? item.state.seq : item.type)),
    [1001],
  );
});

test("R71 nothing is published before it is on disk, and facts proposed together share one write", async () => {
  const journal = await memory();
  const written: number[] = [];
  const order: string[] = [];
  const slowDisk = new Proxy(journal, {
    get: (target, key) => {
      if (key !== "append") return Reflect.get(target, key) as unknown;
      return async (batch: readonly Stamped[]) => {
        await realSleep(2);
        written.push(batch.length);
        order.push("synced");
        return target.append(batch);
      };
    },
  });
  const ledger = new Ledger({
    journal: slowDisk,
    clock: fakeClock(),
    state: started(),
    onSynced: (fact) => order.push(`published ${fact.fact.type}`),
    onFailure: (error) => assert.fail(error),
  });
  ledger.propose({ type: "hook.ran", point: "a", call: null, note: "" });
  ledger.propose({ type: "hook.ran", point: "b", call: null, note: "" });
  await ledger.synced();
  assert.deepEqual(written, [2]);
  assert.deepEqual(order, ["synced", "published hook.ran", "published hook.ran"]);
});

function started(): State {
  const next = transition(emptyState, {
    at: 1,
    fact: {
      type: "session.started",
      rules: 1,
      sessionId: emptyState.sessionId,
      parent: null,
      cwd: "/w",
      agent: emptyState.agent,
      program: "test",
      gitHead: null,
    },
  });
  assert.ok(!isIllegal(next));
  return next;
}

test("[S14] when the journal cannot be written the run stops with the reason, and memory equals the disk", async () => {
  const journal = await memory();
  let full = false;
  const disk = new Proxy(journal, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (key === "append" && full)
        return () => Promise.reject(new Error("no space left on device"));
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  let ran = 0;
  const write = tool({
    name: "write",
    access: "write",
    run: () => {
      ran += 1;
      full = true;
      return Promise.resolve(ok("written"));
    },
  });
  const made = await rig({
    turns: [calls([call("write")]), answer("done")],
    tools: [write],
    journal: disk,
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await assert.rejects(session.settled(), { code: "journal_failed" });
  assert.equal(ran, 1);
  assert.equal(session.state.seq, (await facts(journal)).length);
  await assert.rejects(session.send(prompt("more")), { code: "journal_failed" });
});

test("R110 a tool that hangs ends after its time limit of 120 s and the loop goes on", async () => {
  const made = await rig({
    turns: [calls([call("grep")]), answer("done")],
    tools: [tool({ name: "grep", run: () => new Promise(() => undefined) })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  const state = await settle(session, made.clock);
  assert.match(results(made.requests[1])[0] ?? "", /stopped after 120 s/);
  assert.equal(state.phase.at, "stopped");
});

test("R38 R111 R112 a tool that throws gives its error to the model, which puts it right by itself", async () => {
  const read = tool({
    name: "read",
    run: (input) =>
      input["path"] === "wrong"
        ? Promise.reject(new Error("no such file: wrong"))
        : Promise.resolve(ok("found")),
  });
  const made = await rig({
    turns: [
      calls([call("read", { path: "wrong" })]),
      calls([call("read", { path: "right" })]),
      answer("done"),
    ],
    tools: [read],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[2]), ["The tool failed: no such file: wrong", "found"]);
});

test("[B11] one failing read does not cancel those beside it", async () => {
  const read = tool({
    name: "read",
    run: (input) =>
      input["bad"] === true ? Promise.reject(new Error("bad")) : Promise.resolve(ok("fine")),
  });
  const made = await rig({
    turns: [calls([call("read"), call("read", { bad: true }), call("read")]), answer("done")],
    tools: [read],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), ["fine", "The tool failed: bad", "fine"]);
});

test("names and complaints without end are cut: they stand in every fact of a call", async () => {
  const picky = { ...tool({ name: "read" }), parse: () => "no ".repeat(100_000) };
  const made = await rig({
    turns: [calls([call("n".repeat(200_000)), call("read")]), answer("done")],
    tools: [picky],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "completed");
  const [unknown = "", wrong = ""] = results(made.requests[1]);
  assert.match(unknown, /^There is no tool named n{256}\. /);
  assert.ok(wrong.startsWith("no no ") && wrong.length < 5000);
});

test("an unknown tool and wrong arguments are answered without a decision or a run", async () => {
  const picky = {
    ...tool({ name: "read" }),
    parse: () => "path is missing; give the path of a file",
  };
  const made = await rig({
    turns: [calls([call("raed"), call("read")]), answer("done")],
    tools: [picky],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(results(made.requests[1]), [
    "There is no tool named raed. The tools are: read.",
    "path is missing; give the path of a file",
  ]);
});

test("R51 output without a bound is cut before the model sees it, never inside a character", async () => {
  const flood = tool({ name: "read", run: () => Promise.resolve(ok("😀".repeat(100_000))) });
  const made = await rig({ turns: [calls([call("read")]), answer("done")], tools: [flood] });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  const told = results(made.requests[1])[0] ?? "";
  assert.ok(told.length < 41_000);
  assert.ok(told.isWellFormed());
});

test("a string too long for a journal line lives in a blob, and reads back the same everywhere", async () => {
  const long = "长".repeat(40_000);
  const lookalike = { blob: "a".repeat(64), bytes: 3 };
  const inputs: unknown[] = [];
  const write = tool({
    name: "write",
    access: "write",
    run: (input) => {
      inputs.push(input);
      return Promise.resolve(ok("written"));
    },
  });
  const made = await rig({
    turns: [calls([call("write", { content: long, lookalike })]), answer(long)],
    tools: [write],
  });
  const session = await made.start();
  await session.send(prompt(long));
  await session.settled();
  assert.deepEqual(inputs, [{ content: long, lookalike }]);
  const first = made.requests[0]?.messages[0]?.blocks[0];
  assert.deepEqual(first, { type: "text", text: long });
  for (const fact of await facts(made.parts.journal)) {
    assert.ok(JSON.stringify(fact).length < 10_000);
  }
});

test("R14 R11 R17 each request begins with the one before it", async () => {
  const made = await rig({
    turns: [calls([call("read")]), calls([call("read")]), answer("done")],
    tools: [tool({ name: "read" })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  const [first, second, third] = made.requests.map((request) => request.messages);
  assert.deepEqual(second?.slice(0, first?.length), first);
  assert.deepEqual(third?.slice(0, second?.length), second);
  assert.deepEqual(
    third?.map((message) => message.role),
    ["user", "assistant", "user", "assistant", "user"],
  );
});

test("R1 R113 the loop takes its model, tools, rules, clock and journal as they are given", async () => {
  const made = await rig({ turns: [answer("hello")] });
  const session = await made.start();
  await session.send(prompt("hi"));
  const { state } = await session.settled();
  await session.close();
  assert.equal(state.prompt.answer, "hello");
});
