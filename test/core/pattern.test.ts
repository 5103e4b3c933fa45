import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { matchesCommand, matchesPath } from "../../src/core/pattern.ts";

const denies = (command: string): boolean => matchesCommand("rm *", command, "broad");

const hidden: readonly string[] = [
  "rm x",
  "rm",
  "  rm   -rf x",
  "ls;rm x",
  "ls && rm x",
  "git log && rm -rf x",
  "(rm -rf x)",
  "{ rm x; }",
  "A=1 rm x",
  "A=1 B=2 rm x",
  "find . -exec rm {} \\;",
  "ls | xargs rm",
  "ls|xargs -I{} rm {}",
  "$(rm x)",
  "echo $(rm x)",
  "`rm x`",
  "bash -c 'rm x'",
  'bash -c "rm x"',
  "bash -c'rm x'",
  "! rm x",
  "if true; then rm x; fi",
  "for f in *; do rm $f; done",
  "timeout 5 rm x",
  "nohup rm x &",
  "sudo -u root rm x",
  "env FOO=1 rm x",
  "/bin/rm x",
  "../../bin/rm x",
  "\\rm x",
  "r\\m x",
  "'rm' x",
  '"rm" x',
  "r''m x",
  'r"m" x',
  "rm\tx",
  "ls\nrm x",
  "ls\r\nrm x",
  "r\\\nm x",
  "rm${IFS}x",
  "{rm,-rf,x}",
  "cat <(rm x)",
  "x=$(rm y)",
  "cd x && rm y | cat",
  "command rm x",
  "exec rm x",
  "$'rm' x",
  `${"env ".repeat(200)}rm x`,
];

for (const command of hidden) {
  test(`[M01, M02, M17] deny bash(rm *) catches ${JSON.stringify(command).slice(0, 60)}`, () => {
    assert.equal(denies(command), true);
  });
}

test("a deny rule leaves alone what only looks like it", () => {
  const harmless = ["echo charm x", "npm run farm", "git rm-cached", "alarm x", "rmdir x", "ls"];
  assert.deepEqual(harmless.filter(denies), []);
});

test("a deny rule with shell syntax in it matches the command as it stands", () => {
  assert.equal(matchesCommand("git push --force=*", "git push --force=yes origin", "broad"), true);
  assert.equal(matchesCommand("curl * | sh", "curl https://x.test | sh", "broad"), true);
});

const seeds = ["ls", "git log", "rm x", "x"] as const;
const glue = [
  ";",
  "&&",
  "||",
  "|",
  "&",
  "\n",
  "$(",
  "`",
  "(",
  "{ ",
  "<(",
  "; then ",
  "\t;\t",
  "=$(",
] as const;

test("[M01] wherever the shell may start a command, deny bash(rm *) sees it", () => {
  const anywhere = fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...seeds), fc.constantFrom(...glue)), { maxLength: 6 }),
      fc.string(),
    )
    .map(
      ([parts, tail]) =>
        `${parts.map(([seed, join]) => `${seed}${join}`).join("")}rm -rf y; ${tail}`,
    );
  fc.assert(fc.property(anywhere, denies), { numRuns: 500 });
});

const shellSyntax = [
  ";",
  "&",
  "|",
  "<",
  ">",
  "(",
  ")",
  "$",
  "`",
  "\\",
  '"',
  "'",
  "\n",
  "\r",
  "{",
  "}",
  "*",
  "?",
  "[",
  "]",
  "!",
  "#",
  "~",
  "=",
  "\t",
  "\0",
  "\u001b",
  "^",
] as const;

test("[M01] an allow pattern never covers shell syntax, wherever it stands and whatever the pattern is", () => {
  const patterns = ["*", "git *", "git log *", "* *", "**"] as const;
  const command = fc
    .tuple(fc.string(), fc.constantFrom(...shellSyntax), fc.string())
    .map(([before, sign, after]) => `git log ${before}${sign}${after}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      command,
      (pattern, hostile) => !matchesCommand(pattern, hostile, "exact"),
    ),
    { numRuns: 1000 },
  );
});

test("an allow pattern covers plain words, in any script, and the bare command of a trailing star", () => {
  const covers = (pattern: string, command: string): boolean =>
    matchesCommand(pattern, command, "exact");
  assert.equal(covers("git log *", "git log -3 --stat"), true);
  assert.equal(covers("git log *", " git log "), true);
  assert.equal(covers("npm run 测试", "npm run 测试"), true);
  assert.equal(covers("git log *", "git logs"), false);
  assert.equal(covers("git log", "git log -3"), false);
  assert.equal(covers("git * origin", "git push origin"), true);
});

test("a star inside a word of an allow pattern covers no further words, and no way out of the folder", () => {
  const covers = (command: string): boolean => matchesCommand("rm build/*", command, "exact");
  assert.equal(covers("rm build/a/b.o"), true);
  assert.equal(covers("rm build/a -rf /home"), false);
  assert.equal(covers("rm build/a build/b"), false);
  assert.equal(covers("rm build/../src/a.ts"), false);
  assert.equal(covers("rm build/a/../../.."), false);
  assert.equal(matchesCommand("rm build/* *", "rm build/a build/b", "exact"), true);
  assert.equal(matchesCommand("cat ../*", "cat ../a", "exact"), false);
  assert.equal(matchesCommand("cat ../a", "cat ../a", "exact"), true);
  assert.equal(matchesCommand("npm run test*", "npm run test && x", "exact"), false);
});

test("[M10] an allow pattern never covers a command too long to read", () => {
  assert.equal(matchesCommand("echo *", `echo ${"a".repeat(3000)}`, "exact"), true);
  assert.equal(matchesCommand("echo *", `echo ${"a".repeat(12_000)}`, "exact"), false);
});

const paths: readonly {
  readonly title: string;
  readonly path: string;
  readonly exact: boolean;
  readonly broad: boolean;
}[] = [
  { title: "*.md", path: "a/b/c.md", exact: true, broad: true },
  { title: "*.md", path: "a/b.md/c", exact: false, broad: true },
  { title: "src/**", path: "src/a/b.ts", exact: true, broad: true },
  { title: "src/**", path: "src2/a", exact: false, broad: false },
  { title: "src/*", path: "src/a/b.ts", exact: false, broad: true },
  { title: "src/**/x.ts", path: "src/x.ts", exact: true, broad: true },
  { title: "src/**/x.ts", path: "src/a/b/x.ts", exact: true, broad: true },
  { title: "secrets", path: "app/secrets/key", exact: false, broad: true },
  { title: "secrets/", path: "secrets/key", exact: true, broad: true },
  { title: ".env", path: "a/.env", exact: true, broad: true },
  { title: ".env?", path: "a/.env2", exact: true, broad: true },
  { title: ".env?", path: "a/.env", exact: false, broad: false },
  { title: "/etc/*", path: "/etc/passwd", exact: true, broad: true },
  { title: "a+(b).ts", path: "a+(b).ts", exact: true, broad: true },
  { title: "a.ts", path: "axts", exact: false, broad: false },
  { title: "?.txt", path: "😀.txt", exact: true, broad: true },
  { title: "./key", path: "key", exact: true, broad: true },
  { title: "./key", path: "a/key", exact: false, broad: false },
  { title: "./src/**", path: "src/a.ts", exact: true, broad: true },
  { title: "[id]/page.tsx", path: "[id]/page.tsx", exact: true, broad: true },
];

for (const { title, path, exact, broad } of paths) {
  test(`a path pattern ${title} and ${path}`, () => {
    assert.equal(matchesPath(title, [path], "exact"), exact);
    assert.equal(matchesPath(title, [path], "broad"), broad);
  });
}

test("patterns made to be slow are matched in time that grows with the lengths only", () => {
  const stars = `${"a*".repeat(40)}b`;
  const long = "a".repeat(40_000);
  const startedMs = performance.now();
  assert.equal(matchesCommand(stars, long, "broad"), false);
  assert.equal(matchesCommand(stars, "a".repeat(3900), "exact"), false);
  assert.equal(matchesPath(`${"**/a*".repeat(20)}/b`, [`/${"a/".repeat(400)}c`], "broad"), false);
  assert.ok(performance.now() - startedMs < 5000);
});

test("any pattern and any text at all are matched without a throw", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      (pattern, subject) => {
        const command = matchesCommand(pattern, subject, "broad");
        const path = matchesPath(pattern, [subject], "exact");
        return typeof command === "boolean" && typeof path === "boolean";
      },
    ),
  );
});
