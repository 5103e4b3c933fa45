import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { text, type Hash, type Message, type UserMessage } from "#core";
import type { ModelRequest } from "#runtime";
import { startScriptedServer } from "#testing";
import { nextRequest } from "../../../src/testing/model-conformance/law.ts";
import { ask, request as usual } from "./asking.ts";
import { histories, image, readTool, repliesOf, result, use, user } from "./histories.ts";
import { asReadBy, assertGoesOn, assertValid, wires } from "./wires.ts";

for (const wire of wires) {
  const request: ModelRequest = { ...usual, model: wire.model, tools: [readTool] };
  const assistant = repliesOf(wire.model);
  const older = `${wire.model}-older`;

  test(`L10 ${wire.name}: any history becomes a request the API accepts [S01, S19, W02, W04, W05, W13]`, () => {
    fc.assert(
      fc.property(
        histories(wire.model),
        fc.boolean(),
        fc.constantFrom(wire.model, older),
        (messages, hasTools, model) => {
          const tools = hasTools ? [readTool] : [];
          const asked = { ...request, model, tools, messages: asReadBy(wire, messages) };
          assertValid(wire, wire.builder()(asked), model);
        },
      ),
      { numRuns: 150 },
    );
  });

  test(`R14 L10 ${wire.name}: each request goes on with the bytes of the one before, also in another process`, () => {
    fc.assert(
      fc.property(histories(wire.model), (messages) => {
        const build = wire.builder();
        const history = asReadBy(wire, answered(messages));
        let before: string | null = null;
        for (const end of turnsIn(history)) {
          const asked = { ...request, messages: history.slice(0, end) };
          const body = build(asked);
          assert.equal(body, wire.builder()(structuredClone(asked)));
          if (before !== null) assertGoesOn(wire, [before, body], "answered");
          before = body;
        }
      }),
      { numRuns: 60 },
    );
  });

  test(`R14 ${wire.name}: over a socket, with what its own replies bring`, async () => {
    const calls = [0, 1].map((n) => ({ tool: "read", input: { path: `你好 ${n}` } }));
    const turns = [0, 1, 2, 3].map((n) => ({ thinking: "Hm.", text: `answer ${n}`, calls }));
    await using server = await startScriptedServer({ turns: { turns, tools: wire.tools } });
    const client = wire.client(server.url);
    let asked: ModelRequest = request;
    for (const _ of turns) {
      const last = await ask(client, { request: asked });
      assert.ok(last.type === "end", JSON.stringify(last));
      assert.equal(last.reply.blocks.filter(({ type }) => type === "tool_use").length, 2);
      asked = nextRequest(asked, last.reply);
    }
    const { requests } = server;
    assert.deepEqual(
      requests.map(({ turn, problems }) => [turn, problems]),
      turns.map((_, turn) => [turn, []]),
    );
    assert.ok(
      requests.every(({ headers }) => Object.values(headers).join().includes("sk-of-nobody")),
    );
    requests.slice(1).forEach(({ bodyText }, index) => {
      assertGoesOn(wire, [requests[index]?.bodyText ?? "", bodyText], "answered");
    });
  });

  test(`${wire.name}: one client writes many conversations, forks and cuts, each as if it were alone`, () => {
    const first = user(text("first"));
    const turn = (n: number): readonly Message[] => [
      assistant([text(`a${n}`), use(n)]),
      user(result(n, [text("r"), image]), text(`q${n}`)),
    ];
    const long = [first, ...turn(1), ...turn(2), ...turn(3)];
    const build = wire.builder();
    const lists: readonly (readonly Message[])[] = [
      long,
      long.slice(0, 3),
      [first, user(text("[summary]")), ...long.slice(5)],
      [user(text("other"))],
      long,
      [...long, ...turn(4)],
    ];
    for (const model of [wire.model, older, wire.model]) {
      for (const messages of lists) {
        const asked = { ...request, model, messages };
        assert.equal(build(asked), wire.builder()(asked));
      }
    }
  });

  test(`${wire.name}: a tool whose schema leaves types open is one the API accepts [W11]`, () => {
    const inputSchema = {
      type: "object",
      properties: { list: { type: "array", items: {} }, any: {}, of: { items: {} } },
    };
    const tools = [{ ...readTool, inputSchema }];
    const json = wire.builder()({ ...request, tools });
    assertValid(wire, json, wire.model);
    assert.doesNotMatch(json, /"strict":true/);
  });

  test(`${wire.name}: half an emoji is repaired wherever it stands; a text about escapes is left alone [W05]`, () => {
    const half = "cut \ud83d";
    const json = wire.builder()({
      ...request,
      system: [{ name: "a", text: half, stable: true }],
      messages: [
        user(text(half), text("\\ud83d is an escape 😀")),
        assistant([text(half), use(0, { input: { [half]: [half, "😀"] } })]),
        user(result(0, [text(half)])),
      ],
    });
    assertValid(wire, json, wire.model);
    assert.equal(json.split("cut \uFFFD").length, 7);
    assert.ok(json.includes("\\\\ud83d is an escape 😀"));
  });

  test(`${wire.name}: a blob where its text belongs is a fault of the caller, told as a failure`, async () => {
    const messages = [user({ type: "text", text: { blob: "ab" as Hash, bytes: 9 } })];
    const last = await ask(wire.client("http://127.0.0.1:1"), {
      request: { ...request, messages },
    });
    assert.ok(last.type === "failure" && last.failure.class === "internal");
    assert.match(last.failure.message, /a reference to blob ab/);
  });
}

/** The same, with something to say on every side: what says nothing is not sent, and joins its neighbours. */
const answered = (messages: readonly Message[]): readonly Message[] =>
  [goOn, ...messages, goOn].flatMap((message, index, all): readonly Message[] => {
    if (message.role === "user") return [message];
    const reply = { ...message, blocks: [text("So."), ...message.blocks] };
    const isAnswered = all[index + 1]?.role === "user";
    return isAnswered ? [reply] : [reply, goOn];
  });

const goOn: UserMessage = user(text("Go on."));

/** Where a request was owed: behind the last message of each of the user's sides. */
const turnsIn = (messages: readonly Message[]): readonly number[] =>
  messages.flatMap((message, index) =>
    message.role === "user" && messages[index + 1]?.role !== "user" ? [index + 1] : [],
  );
