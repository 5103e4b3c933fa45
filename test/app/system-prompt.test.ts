import assert from "node:assert/strict";
import { test } from "node:test";

import { environmentText } from "../../src/app/context/environment.ts";
import { systemPrompt } from "../../src/app/prompt/system-prompt.ts";

const tool = (name: string): Parameters<typeof systemPrompt>[0]["tools"][number] => ({
  name,
  description: `Does ${name} e.g. well. And more.\nSecond line.`,
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "number" } },
    required: ["path"],
  },
});

const parts = {
  tools: [tool("read")],
  mode: "ask",
  instructions: [],
  environment: "# Environment",
} as const;

test("R104 R105 a tool that is added changes the prompt: name, parameters, first sentence", () => {
  const textOf = (tools: readonly ReturnType<typeof tool>[]): string =>
    systemPrompt({ ...parts, tools }).find((section) => section.name === "tools")?.text ?? "";
  const before = textOf([tool("read")]);
  const after = textOf([tool("read"), tool("mend")]);
  assert.equal(after, `${before}\n- mend(path, limit?): Does mend e.g.`);
  assert.match(after, /mechanism of this interface/);
});

test("R18 what changes between starts stands last and is the only part that is not stable", () => {
  const sections = systemPrompt({
    ...parts,
    instructions: [{ path: "/a/AGENTS.md", text: "rule" }],
  });
  assert.deepEqual(
    sections.map((section) => [section.name, section.stable]),
    [
      ["identity", true],
      ["tools", true],
      ["mode", true],
      ["instructions", true],
      ["environment", false],
    ],
  );
});

test("each permission mode tells the model what it may do", () => {
  const texts = (["ask", "read-only", "edit", "bypass"] as const).map(
    (mode) => systemPrompt({ ...parts, mode }).find((section) => section.name === "mode")?.text,
  );
  assert.equal(new Set(texts).size, 4);
});

test("R18 R132 the volatile end says date, folder, platform, shell and git", () => {
  const text = environmentText({
    now: new Date(2026, 0, 31, 23, 59).getTime(),
    cwd: "/w",
    addedFolders: ["/x"],
    platform: "linux x64",
    environment: { SHELL: "/bin/zsh" },
    repository: {
      root: "/w",
      gitFolder: "/w/.git",
      commonFolder: "/w/.git",
      branch: "main",
      head: "0123456789abcdef0123456789abcdef01234567",
    },
    status: " M a\n?? b",
  });
  assert.match(text, /Date: 2026-01-31 \(Saturday\), UTC[+-]\d\d:\d\d/);
  assert.match(text, /Folder: \/w\n- Also writable: \/x\n- Platform: linux x64/);
  assert.match(text, /the person uses zsh/);
  assert.match(text, /branch main, commit 0123456789, top folder \/w/);
  assert.match(text, /start:\n {5}M a\n {4}\?\? b$/);
});
