import assert from "node:assert/strict";
import { test } from "node:test";

import { builtInTools } from "#adapters/tools";
import { hiddenFrom, parseRule, type PermissionRequest, type Rule } from "#core";
import type { AnyTool } from "#runtime";
import { skippedNotes, watchHidden } from "../../../src/adapters/tools/shared/skipped.ts";
import { said, use, workbench, type Workbench } from "./workbench.ts";

const rule = (written: string, verdict: Rule["verdict"]): Rule =>
  parseRule(written, verdict, "user") ?? assert.fail(written);

/** A tree in which two rules keep files back. */
function tree(): Workbench & { isHidden(path: string): boolean } {
  const bench = workbench({
    "app/.env": "KEY=hit\n",
    ".env": "KEY=hit\n",
    "secrets/deep/key.txt": "hit\n",
    "secrets/other.txt": "hit\n",
    "src/a.ts": "hit\n",
    "environment.txt": "hit\n",
  });
  const searched: PermissionRequest = {
    tool: "grep",
    input: {},
    access: "read",
    resources: [bench.cwd],
  };
  const rules = [rule("read(.env)", "deny"), rule("read(secrets/**)", "ask")];
  const policy = { mode: "ask", rules, roots: [bench.cwd], questions: "person" } as const;
  return { ...bench, isHidden: hiddenFrom(policy, searched) };
}

const ways: readonly (readonly [how: string, tools: readonly AnyTool[]])[] = [
  ["with ripgrep", builtInTools()],
  ["without ripgrep", builtInTools({ ripgrep: ["no-such-ripgrep-here"] })],
];

const named = (tools: readonly AnyTool[], name: string): AnyTool =>
  tools.find((tool) => tool.name === name) ?? assert.fail(name);

for (const [how, tools] of ways) {
  test(`R65 D16 what a rule denies or asks about comes out of no search, ${how}`, async () => {
    const bench = tree();
    for (const input of [
      { pattern: "hit" },
      { pattern: "hit", include_ignored: true, mode: "files" },
      { pattern: "hit", mode: "count", glob: "*" },
      { pattern: "KEY", context: 3 },
    ]) {
      const text = said(await use(named(tools, "grep"), input, bench));
      assert.doesNotMatch(text, /\.env|secrets|KEY=/);
      assert.match(text, /\[3 paths left out: a permission rule keeps them back\]/);
    }
    const text = said(await use(named(tools, "glob"), { pattern: "**/*" }, bench));
    assert.doesNotMatch(text, /\.env|secrets/);
    assert.match(text, /^environment\.txt\nsrc\/a\.ts\n\[3 paths left out/);
  });
}

test("R65 list leaves out what a rule keeps back, and counts it", async () => {
  const [, tools] = ways[0] ?? assert.fail();
  const all = said(await use(named(tools, "list"), { depth: 5 }, tree()));
  assert.doesNotMatch(all, /\.env|key\.txt/);
  assert.match(all, /\[3 paths left out: a permission rule keeps them back\]$/);
  const bench = workbench({ "a/.env": "" });
  const hiding = { ...bench, isHidden: (path: string) => path.endsWith("/.env") };
  assert.equal(
    said(await use(named(tools, "list"), { path: "a" }, hiding)),
    "[1 path left out: a permission rule keeps it back]",
  );
});

test("R65 what is kept back counts, too, where a tree was too large to be looked at whole", () => {
  const kept = watchHidden((path) => path.endsWith("/.env"));
  for (const path of ["/w/a", "/w/.env", "/w/.env", "/w/z/.env"]) kept.isHidden(path);
  const skipped = { ignored: [], links: [], denied: [], hidden: 0, own: false };
  const cut = kept.added({ ...skipped, isComplete: false });
  assert.deepEqual(skippedNotes(cut, "kept", String), [
    "at least 2 paths left out: a permission rule keeps them back",
  ]);
  assert.equal(kept.added({ ...skipped, hidden: 1, isComplete: true }).hidden, 1);
});
