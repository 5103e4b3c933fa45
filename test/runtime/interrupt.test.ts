import assert from "node:assert/strict";
import { test } from "node:test";
import { resultOfRun, text } from "#core";
import type { Session } from "#runtime";
import {
  answer,
  call,
  calls,
  failure,
  hang,
  ok,
  prompt,
  results,
  rig,
  settle,
  tool,
  types,
  until,
  untilFact,
} from "./rig.ts";

test("R36 [I02] an interrupt right after the prompt ends the turn; no answer comes from a model", async () => {
  const made = await rig({ turns: [hang()] });
  const session = await made.start();
  const sent = session.send(prompt("go"));
  const stopped = session.send({ type: "interrupt", now: true });
  await Promise.all([sent, stopped]);
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
});

test("R36 R40 an interrupt while text streams keeps the text that had come", async () => {
  const made = await rig({ turns: [hang([text("half an ans")]), answer("rest")] });
  const session = await made.start();
  const streaming = until(session, (item) => item.type === "signal");
  await session.send(prompt("go"));
  await streaming;
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).text, "half an ans");
  assert.equal(state.messages.at(-1)?.role, "assistant");
});

test("R36 [S20] an interrupt in a batch settles the running call and names those not started", async () => {
  const write = tool({
    name: "write",
    access: "write",
    run: (input, context) =>
      input["slow"] === true
        ? new Promise((resolve) => {
            context.signal.addEventListener(
              "abort",
              () =>
                resolve({
                  outcome: "interrupted",
                  content: [text("stopped half way")],
                  effects: [],
                }),
              { once: true },
            );
          })
        : Promise.resolve(ok("written")),
  });
  const made = await rig({
    turns: [
      calls([call("write"), call("write", { slow: true }), call("write"), call("write")]),
      answer("after"),
    ],
    tools: [write],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await secondStart(session);
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  await session.send(prompt("go on"));
  await session.settled();
  const told = results(made.requests[1]);
  assert.equal(told.length, 4);
  assert.deepEqual(told.slice(0, 2), ["written", "stopped half way"]);
  assert.match(told[2] ?? "", /^Not run: the user interrupted/);
  assert.match(told[3] ?? "", /^Not run: the user interrupted/);
});

async function secondStart(session: Session): Promise<void> {
  for await (const item of session.feed()) {
    const { phase } = item.type === "fact" || item.type === "snapshot" ? item.state : session.state;
    if (phase.at === "acting" && phase.calls[1]?.status.at === "started") return;
  }
}

test("R36 a tool that ignores the interrupt is recorded as interrupted after two seconds", async () => {
  const made = await rig({
    turns: [calls([call("bash")])],
    tools: [tool({ name: "bash", access: "exec", run: () => new Promise(() => undefined) })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await secondsPass(session);
  await session.send({ type: "interrupt", now: true });
  const state = await settle(session, made.clock);
  assert.equal(resultOfRun(state).outcome, "interrupted");
});

async function secondsPass(session: Session): Promise<void> {
  if (session.state.phase.at === "acting") return;
  await untilFact(session, "tool.started");
}

test("a graceful interrupt lets the running call finish and begins nothing more", async () => {
  const release = Promise.withResolvers<void>();
  const made = await rig({
    turns: [calls([call("write"), call("write")])],
    tools: [
      tool({
        name: "write",
        access: "write",
        run: async () => {
          await release.promise;
          return ok("written");
        },
      }),
    ],
  });
  const session = await made.start();
  const started = untilFact(session, "tool.started");
  await session.send(prompt("go"));
  await started;
  await session.send({ type: "interrupt", now: false });
  release.resolve();
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  const seen = await types(made.parts.journal);
  assert.equal(seen.filter((type) => type === "tool.started").length, 1);
});

test("R36 an interrupt while a retry is waited for ends the wait", async () => {
  const made = await rig({
    turns: [
      async function* () {
        yield failure("server");
      },
    ],
  });
  const session = await made.start();
  const failed = untilFact(session, "request.failed");
  await session.send(prompt("go"));
  await failed;
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
  assert.equal(made.clock.sleeping, 0);
});

test("R36 an interrupt at a permission question withdraws the question", async () => {
  const made = await rig({
    turns: [calls([call("bash")])],
    tools: [tool({ name: "bash", access: "exec" })],
    mode: "ask",
  });
  const session = await made.start();
  await session.send(prompt("go"));
  assert.equal((await session.settled()).waiting, true);
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "interrupted");
});

test("[S22] input queued before an interrupt goes back to the user and is never sent", async () => {
  const made = await rig({ turns: [hang(), answer("next")] });
  const session = await made.start();
  await session.send(prompt("first"));
  await session.send(prompt("queued"));
  await session.send({ type: "interrupt", now: true });
  const { state } = await session.settled();
  assert.deepEqual(state.inbox, []);
  assert.equal(state.phase.at, "stopped");
  assert.ok((await types(made.parts.journal)).includes("input.withdrawn"));
});
