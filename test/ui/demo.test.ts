import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-demo-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function runDemo(locale: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly code: number | null;
    readonly text: string;
  }>();
  const child = spawn(process.execPath, [join(ROOT, "dist/bin/pawl.cjs"), "demo"], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, LC_ALL: locale, PAWL_HOME: join(folder, "own") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  }
  child.once("error", reject);
  child.once("close", (code) => resolve({ code, text }));
  return promise;
}

test("R74 R81 R86 the demo kills its agent inside a command, resumes it, and checks that nothing ran twice", async () => {
  const [english, chinese] = await Promise.all([runDemo("C.UTF-8"), runDemo("zh_CN.UTF-8")]);
  for (const { code, text } of [english, chinese]) {
    assert.equal(code, 0, text);
    assert.match(text, /kill -9 \d+/);
    assert.match(text, /invoice 1, invoice 2\n/);
    assert.equal(text.match(/^✓ /gm)?.length, 6, text);
  }
  assert.match(english.text, /The model here is a script/);
  assert.match(english.text, /harbour-lights/);
  assert.match(english.text, /done: bash sh send\.sh 1/);
  assert.match(english.text, /never started: bash sh send\.sh 3/);
  assert.match(chinese.text, /这里的模型是一份脚本/);
});
