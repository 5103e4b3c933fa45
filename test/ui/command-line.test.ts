import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsFor } from "#i18n";
import { writtenRule } from "#core";
import { helpText } from "../../src/ui/command-line/help.ts";
import type { Invocation } from "../../src/ui/command-line/invocation.ts";
import { parseArguments } from "../../src/ui/command-line/parse.ts";

const words = await wordsFor("en");

function parse(...argv: readonly string[]): Invocation {
  const parsed = parseArguments(argv, words);
  assert.equal(parsed.at, "run");
  return parsed.at === "run" ? parsed.invocation : assert.fail();
}

/** Options and commands of the contract, section 1. */
const contract = (
  "-p --print --output-format --input-format --include-signals --json-schema -m --model --base-url " +
  "--fallback-model -c --continue -r --resume --fork --dir --permission-mode --allow --ask --deny " +
  "--sandbox --network --add-dir --max-turns --max-cost --max-tokens --max-tool-calls --max-time " +
  "--on-ask --cwd --worktree --lang --config --no-project-config -q -v --no-color --version --help " +
  "sessions show replay undo redo blame why audit verify policy export import bundle config models " +
  "mcp doctor init completion demo inspect acp farm"
).split(" ");

test("--help names every option and command of the contract", async () => {
  const texts = [helpText(null, words), helpText(null, await wordsFor("zh-CN"))];
  const missing = contract.filter((name) =>
    texts.some((text) => !new RegExp(`(^|[\\s,])${name}([\\s,]|$)`, "m").test(text)),
  );
  assert.deepEqual(missing, []);
});

test("--help names what a command takes beside the options of all", () => {
  const text = helpText(null, words);
  for (const usage of ["doctor [--json] [--offline]", "show ID[@A..B] [--json] [--messages]"]) {
    assert.ok(text.includes(usage), usage);
  }
});

test("no line of --help is wider than a terminal", async () => {
  const lines = [helpText(null, words), helpText(null, await wordsFor("zh-CN"))].flatMap((text) =>
    text.split("\n"),
  );
  const cells = (line: string): number => line.replaceAll(/[\u2e80-\uffef]/g, "xx").length;
  assert.deepEqual(
    lines.filter((line) => cells(line) > 110),
    [],
  );
});

const later = [
  ["--dir", "x"],
  ["--network", "on"],
  ["--sandbox", "workspace"],
  ["--sandbox", "read-only"],
  ["--permission-mode", "auto"],
  ...["replay", "undo", "redo", "blame", "why", "audit", "verify", "policy"].map((name) => [name]),
  ...["export", "import", "bundle", "mcp", "inspect", "acp", "farm"].map((name) => [name, "x"]),
];

for (const argv of later) {
  test(`what this version does not have is refused in one line: ${argv.join(" ")}`, () => {
    assert.throws(
      () => parseArguments(argv, words),
      (error: { code: string; message: string }) =>
        error.code === "not_in_this_version" && !error.message.includes("\n"),
    );
  });
}

const mistakes = [
  {
    title: "an unknown option names a near one",
    argv: ["--modle", "x"],
    says: /no option --modle\. Did you mean --model\?/,
  },
  {
    title: "an option without its value",
    argv: ["--max-turns"],
    says: /--max-turns <n>.* needs a value/,
  },
  {
    title: "turns that are no number",
    argv: ["--max-turns", "abc"],
    says: /--max-turns: "abc" cannot be used/,
  },
  { title: "a time without a unit", argv: ["--max-time", "30"], says: /90s, 30m or 2h/ },
  { title: "a negative cost", argv: ["--max-cost", "-1"], says: /a number above 0/ },
  {
    title: "an unknown mode",
    argv: ["--permission-mode", "yolo"],
    says: /one of read-only, ask, edit/,
  },
  {
    title: "an unknown format",
    argv: ["--output-format", "xml"],
    says: /one of text, json, stream-json/,
  },
  { title: "an unknown language", argv: ["--lang", "fr"], says: /one of en, zh-CN/ },
  { title: "a rule that is none", argv: ["--deny", "bash("], says: /is not a rule/ },
  { title: "a rule for a tool nobody has", argv: ["--allow", "Edit"], says: /Did you mean "edit"/ },
  { title: "two sessions at once", argv: ["-c", "-r", "01X"], says: /exclude each other/ },
  { title: "a fork that is no id", argv: ["--fork", "a@b"], says: /ID\[@SEQ\]/ },
  {
    title: "an address that is none",
    argv: ["--base-url", "ftp://x"],
    says: /an http or https address/,
  },
];

for (const { title, argv, says } of mistakes) {
  test(`${title} is a usage error that says what is right`, () => {
    assert.throws(
      () => parseArguments(argv, words),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, "usage");
        assert.match(error.message, says);
        return true;
      },
    );
  });
}

const dispatches = [
  {
    title: "the first word may be a command",
    argv: ["sessions", "rm", "x"],
    command: "sessions",
    operands: ["rm", "x"],
  },
  {
    title: "options may stand before a command",
    argv: ["--lang", "en", "-q", "show", "x"],
    command: "show",
    operands: ["x"],
  },
  {
    title: "after -p a command's name is a prompt",
    argv: ["-p", "show", "me"],
    command: null,
    operands: ["show", "me"],
  },
  { title: "-qp counts as -p", argv: ["-qp", "init"], command: null, operands: ["init"] },
  {
    title: "-m with its value joined is not -p",
    argv: ["-manthropic/p", "doctor"],
    command: "doctor",
    operands: [],
  },
  {
    title: "after -- everything is the prompt",
    argv: ["-p", "--", "--help"],
    command: null,
    operands: ["--help"],
  },
  {
    title: "a value that is a command's name is a value",
    argv: ["--cwd", "demo", "go"],
    command: null,
    operands: ["go"],
  },
  {
    title: "an optional value is a value",
    argv: ["-r", "show", "go"],
    command: null,
    operands: ["go"],
  },
];

for (const { title, argv, command, operands } of dispatches) {
  test(title, () => {
    const parsed = parse(...argv);
    assert.deepEqual([parsed.command, parsed.operands], [command, operands]);
  });
}

test("flags become settings of the strongest layer, and rules in order deny, ask, allow", () => {
  const line =
    "-p -m anthropic/x --max-turns quick --max-time 90s --max-cost 0.5 --allow bash(git*log) " +
    "--allow edit --deny read(.env) --add-dir a --add-dir b --fork 01AB@12 --worktree --on-ask pause";
  const { options } = parse(...line.split(" "));
  assert.deepEqual(
    options.settings.map(({ key, value, layer }) => [key, value, layer]),
    [
      ["model", "anthropic/x", "flag"],
      ["limits.turns", 5, "flag"],
      ["limits.costUsd", 0.5, "flag"],
      ["limits.minutes", 1.5, "flag"],
    ],
  );
  assert.deepEqual(options.rules.map(writtenRule), ["read(.env)", "bash(git*log)", "edit"]);
  assert.deepEqual(options.which, { at: "fork", id: "01AB", seq: 12 });
  assert.deepEqual([options.addDirs, options.worktree, options.onAsk], [["a", "b"], "", "pause"]);
});

test("--help and --version count wherever they stand, and nothing else is checked then", () => {
  assert.equal(parseArguments(["sessions", "--help", "--max-turns", "abc"], words).at, "help");
  assert.equal(parseArguments(["-q", "--version"], words).at, "version");
});
