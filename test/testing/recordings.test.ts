import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";
import { recordingsIn } from "../field/streams/recording.ts";
import { okStream } from "../adapters/models/asking.ts";

/** A folder with these files; a null is a folder, a name behind `->` what a link points to. */
async function folderOf(
  files: Readonly<Record<string, string | null>>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "pawl-recordings-"));
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(content === null ? file : dirname(file), { recursive: true });
    if (content?.startsWith("->")) await symlink(content.slice(2), file);
    else if (content !== null) await writeFile(file, content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const judged = (more: object): string =>
  JSON.stringify({ outcome: "end_turn", runnable: [], expect: { usage: null }, ...more });
const chat = 'data: {"object":"chat.completion.chunk","choices":[]}\n\n';

test("recordings are found by what is said of them, by their folder, and by their first events", async () => {
  await using folder = await folderOf({
    "mine/deep/a.sse": okStream,
    "mine/deep/a.expect.json": judged({ wire: "anthropic" }),
    "anthropic/b.sse": "what one may not know at once",
    "mine/c.sse": chat,
    "mine/c.expect.json": judged({}),
    "mine/d.sse": 'data: {"type":"response.created"}\n\n',
    "mine/e.sse": 'data: {"candidates":[]}\n\n',
    "mine/notes.txt": "no stream",
  });
  const { recordings, unusable } = recordingsIn(folder.path);
  assert.deepEqual(unusable, []);
  assert.deepEqual(
    recordings.map(({ name, wire, expectation }) => [name, wire.name, expectation !== null]),
    [
      ["anthropic/b", "anthropic", false],
      ["mine/c", "openai-chat", true],
      ["mine/d", "openai-responses", false],
      ["mine/deep/a", "anthropic", true],
      ["mine/e", "gemini", false],
    ],
  );
});

test("each file that cannot be used is named, with the reason", async () => {
  const fixtures = {
    broken: "{",
    list: "[]",
    word: '"end_turn"',
    outcome: judged({ outcome: 1 }),
    runnable: judged({ runnable: "all" }),
    expect: judged({ expect: null }),
    usage: judged({ expect: {} }),
    wire: judged({ wire: "morse" }),
  };
  await using folder = await folderOf({
    "folder.sse": null,
    "link.sse": "->/nowhere/at/all",
    "unknown.sse": "data: {}\n\n",
    ...Object.fromEntries(
      Object.entries(fixtures).flatMap(([name, text]) => [
        [`x/${name}.sse`, okStream],
        [`x/${name}.expect.json`, text],
      ]),
    ),
  });
  const { recordings, unusable } = recordingsIn(folder.path);
  assert.deepEqual(recordings, []);
  const wires = "(known: anthropic, openai-chat, openai-responses, gemini)";
  assert.deepEqual(unusable, [
    "folder.sse: it cannot be read as a file",
    "link.sse: it cannot be read as a file",
    `unknown.sse: nothing says which wire it is ${wires}`,
    "x/broken.sse: broken.expect.json is not valid JSON",
    "x/expect.sse: expect.expect.json has no expect, an object",
    "x/list.sse: list.expect.json is not an object",
    "x/outcome.sse: outcome.expect.json has no outcome, a text",
    "x/runnable.sse: runnable.expect.json has no runnable, a list of ids",
    "x/usage.sse: usage.expect.json has no expect.usage, an object or null",
    `x/wire.sse: no wire "morse" ${wires}`,
    "x/word.sse: word.expect.json is not an object",
  ]);
});

const fixtures = (folder: string) =>
  spawnSync(process.execPath, [join(ROOT, "scripts/fixtures.ts"), folder], { encoding: "utf8" });

test("`npm run fixtures` prints a table for each wire, and says at the end what it could not use", async () => {
  await using folder = await folderOf({
    "some/good.sse": okStream,
    "some/empty.sse": "",
    "some/empty.expect.json": judged({ wire: "anthropic" }),
    "some/odd.sse": "odd",
  });
  const { status, stdout } = fixtures(folder.path);
  assert.equal(status, 1);
  assert.match(stdout, /^anthropic$/m);
  assert.match(stdout, /some\/good +end_turn .* same everywhere, not judged$/m);
  assert.match(stdout, /some\/empty +end_turn .* WRONG$/m);
  assert.match(
    stdout,
    /2 streams, 1 right\n\nCould not be used:\n {2}some\/odd\.sse: nothing says/,
  );
});

test("a folder that is not there, or holds no streams, is said to be so", async () => {
  await using folder = await folderOf({ "a.txt": "" });
  const missing = fixtures(join(folder.path, "gone"));
  assert.deepEqual([missing.status, missing.stderr], [2, ""]);
  assert.match(missing.stdout, /^There is no folder .*gone: /);
  const empty = fixtures(folder.path);
  assert.equal(empty.status, 2);
  assert.match(empty.stdout, /can be played: it should hold X\.sse files/);
});
