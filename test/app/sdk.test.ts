import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { defineTool, done, textField } from "#adapters/tools";
import {
  type ScriptedServer,
  type ScriptedTurn,
  startScriptedServer,
} from "#adapters/models/scripted";
import {
  createSession,
  isPawlError,
  type RunItem,
  type SessionOptions,
} from "../../src/app/sdk.ts";
import { gif, png } from "../adapters/images/made.ts";
import { folderWith } from "./folder.ts";

/** A folder, a model on this machine, and options for both. */
async function place(turns: readonly ScriptedTurn[]): Promise<
  {
    readonly path: string;
    readonly options: SessionOptions;
    readonly requests: ScriptedServer["requests"];
  } & AsyncDisposable
> {
  const folder = await folderWith({ "work/file": "" });
  const server = await startScriptedServer({ turns });
  return {
    path: folder.path,
    requests: server.requests,
    options: {
      model: "anthropic/claude-sonnet-4-5",
      baseUrl: server.url,
      cwd: join(folder.path, "work"),
      environment: { PAWL_HOME: join(folder.path, "home") },
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const all = (items: AsyncIterable<RunItem>): Promise<RunItem[]> =>
  (async () => {
    const list: RunItem[] = [];
    for await (const item of items) list.push(item);
    return list;
  })();

const write = { tool: "write", input: { path: "a.txt", content: "hi\n" } };

test("a run gives facts from the first on, signals between, and ends with the result", async () => {
  await using at = await place([{ text: "one" }, { text: "two" }]);
  await using session = await createSession(at.options);
  const first = await all(session.run("go"));
  const second = await all(session.run("more"));
  const seqs = [...first, ...second].flatMap((item) =>
    item.type === "fact" ? [item.entry.seq] : [],
  );
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => index + 1),
  );
  assert.ok(first.some((item) => item.type === "signal"));
  const results = [first, second].map((items) => items.at(-1));
  assert.deepEqual(
    results.map((item) => item?.type === "result" && [item.outcome, item.text, item.turns]),
    [
      ["completed", "one", 1],
      ["completed", "two", 1],
    ],
  );
});

test("a question goes to the program, and its answer to the model", async () => {
  await using at = await place([{ calls: [write] }, { text: "written" }]);
  const asked: string[] = [];
  await using session = await createSession({
    ...at.options,
    onQuestion: ({ tool, input }) => {
      asked.push(`${tool} ${JSON.stringify(input["path"])}`);
      return { verdict: "allow" };
    },
  });
  await all(session.run("go"));
  assert.deepEqual(asked, ['write "a.txt"']);
  assert.equal(await readFile(join(at.path, "work/a.txt"), "utf8"), "hi\n");
});

test("a question nobody answers, or whose answer throws, is denied", async () => {
  await using at = await place([{ calls: [write] }, { calls: [write] }, { text: "no" }]);
  await using session = await createSession({
    ...at.options,
    onQuestion: () => Promise.reject(new Error("window closed")),
  });
  const result = (await all(session.run("go"))).at(-1);
  assert.ok(result?.type === "result");
  assert.deepEqual(
    result.denials.map(({ reason }) => reason),
    ["window closed", "window closed"],
  );
});

test("a session is resumed by id; null goes on after a limit", async () => {
  await using at = await place([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const first = await createSession({ ...at.options, limits: { turns: 1 } });
  const limited = (await all(first.run("go"))).at(-1);
  assert.equal(limited?.type === "result" && limited.outcome, "limit");
  await first.close();
  await using second = await createSession({
    ...at.options,
    resume: first.id,
    limits: { turns: 5 },
  });
  const result = (await all(second.run(null))).at(-1);
  assert.equal(result?.type === "result" && result.text, "done");
});

test("interrupt ends a run with its outcome", async () => {
  await using at = await place([{ text: "never ", fault: { type: "stall", events: 4 } }]);
  await using session = await createSession(at.options);
  const outcomes: string[] = [];
  for await (const item of session.run("go")) {
    if (item.type === "signal") await session.interrupt();
    if (item.type === "result") outcomes.push(item.outcome);
  }
  assert.deepEqual(outcomes, ["interrupted"]);
});

test("options that cannot be are refused before anything is written", async () => {
  await using at = await place([]);
  const bad = { ...at.options, permissions: { deny: ["Bash(rm *)"] } };
  await assert.rejects(createSession(bad), { code: "usage" });
  await assert.rejects(createSession({ ...at.options, model: "sonnet" }), {
    code: "unknown_model",
  });
  await assert.rejects(readFile(join(at.path, "home/sessions")), { code: "ENOENT" });
});

test("a program that misspells an option or gives a value that cannot be is told so", async () => {
  await using at = await place([]);
  const opened = async (wrong: object): Promise<string> => {
    const failed = await createSession({ ...at.options, ...wrong }).then(
      () => new Error("it opened"),
      (error: unknown) => error,
    );
    return isPawlError(failed) ? `${failed.code}: ${failed.message}` : String(failed);
  };
  const table: readonly (readonly [wrong: object, said: RegExp])[] = [
    [{ permissions: { mode: "aks" } }, /^usage: permissions\.mode: "aks".* one of read-only, ask/],
    [{ limits: { turns: -1 } }, /^usage: limits\.turns: "-1".* whole number from 1/],
    [{ limits: { timeMs: -1 } }, /^usage: limits\.timeMs: .* above 0/],
    [{ limits: { cost: 1 } }, /^usage: .*"limits\.cost"/],
    [{ permission: {} }, /^usage: .*"permission"\. Did you mean "permissions"\?/],
    [{ thinking: "ultra" }, /^usage: thinking: "ultra".* max\./],
    [{ tools: [{}] }, /^usage: tools\[0\] is not a tool\. .*defineTool/],
    [{ cwd: join(at.path, "gone") }, /^folder_missing: There is no folder .*gone/],
    [{ model: "foo/bar" }, /^unknown_model: There is no provider "foo"\. All of them: pawl models/],
    [{ model: "opneai/x" }, /Did you mean "openai"\?/],
  ];
  for (const [wrong, said] of table) assert.match(await opened(wrong), said);
  await using session = await createSession({ ...at.options, limits: { timeMs: null } });
  assert.ok(session.id);
});

const shout = defineTool({
  name: "shout",
  description: "Says it louder.",
  fields: { words: textField("What to say.") },
  recovery: "rerun",
  need: () => ({ access: "network", resources: ["the street"] }),
  run: async ({ words }) => done(words.toUpperCase()),
});

test("a tool of the program's own is called, and rules may name it", async () => {
  await using at = await place([
    { calls: [{ tool: "shout", input: { words: "hi" } }] },
    { text: "done" },
  ]);
  const options = { ...at.options, tools: [shout], permissions: { allow: ["shout"] } };
  await using session = await createSession(options);
  const facts = (await all(session.run("go"))).flatMap((item) =>
    item.type === "fact" ? [item.entry.fact] : [],
  );
  assert.match(JSON.stringify(facts.find(({ type }) => type === "tool.finished")), /"HI"/);
});

test("a tool with the name of a built-in one is refused", async () => {
  await using at = await place([]);
  const tools = [{ ...shout, name: "read" }];
  await assert.rejects(createSession({ ...at.options, tools }), /Two tools are called "read"/);
});

test("a prompt of the library may hold images: bytes or base64, of whatever kind they are", async () => {
  await using at = await place([{ text: "seen" }]);
  await using session = await createSession(at.options);
  const bytes = png(8, 4);
  await all(
    session.run([
      { type: "text", text: "what is this?" },
      { type: "image", data: bytes },
      { type: "image", data: gif(1).toString("base64") },
    ]),
  );
  const sent = JSON.stringify(at.requests.map(({ body }) => body));
  assert.deepEqual(
    [...sent.matchAll(/"media_type":"([^"]+)","data":"([^"]+)"/g)].map(([, kind, data = ""]) => [
      kind,
      data === bytes.toString("base64") ? "as it came" : "another",
    ]),
    [
      ["image/png", "as it came"],
      ["image/png", "another"],
    ],
  );
  assert.deepEqual(at.requests[0]?.problems, []);
});

test("fallbackModel answers when the model cannot be had", async () => {
  const fault = { type: "status", status: 529, headers: { "x-should-retry": "false" } } as const;
  await using here = await place([{ text: "hi", fault }]);
  const fallbackModel = "anthropic/claude-haiku-4-5";
  await using session = await createSession({ ...here.options, fallbackModel });
  const end = (await all(session.run("go"))).at(-1);
  assert.ok(end?.type === "result" && end.text === "hi");
  assert.deepEqual(
    here.requests.map(({ body }) => body["model"]),
    ["claude-sonnet-4-5", "claude-haiku-4-5"],
  );
});
