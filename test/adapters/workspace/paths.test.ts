import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isTrouble, locate, pathProblem, shownPath } from "#adapters/workspace";
import { workbench } from "../tools/workbench.ts";

const codeOf = (found: string | { readonly code: string }): string =>
  typeof found === "string" ? found : found.code;

test("[M07] a path through a link is the real path, also of what does not exist yet", () => {
  const bench = workbench({ "real/a.txt": "a" });
  const outside = join(dirname(bench.cwd), "outside");
  mkdirSync(outside);
  bench.link("link", "real");
  bench.link("out", outside);
  bench.link("dangling", "../outside/not-yet.txt");
  const found = [
    "link/a.txt",
    "link/new/b.txt",
    "out/new.txt",
    "dangling",
    "real/../link/./a.txt",
    "./new.txt",
  ].map((path) => locate(path, bench.cwd));
  assert.deepEqual(found, [
    join(bench.cwd, "real/a.txt"),
    join(bench.cwd, "real/new/b.txt"),
    join(outside, "new.txt"),
    join(outside, "not-yet.txt"),
    join(bench.cwd, "real/a.txt"),
    join(bench.cwd, "new.txt"),
  ]);
});

test("the home folder is meant by a tilde, and only at the beginning", () => {
  const bench = workbench();
  assert.equal(locate("~/no-such-file-here", bench.cwd), join(homedir(), "no-such-file-here"));
  assert.equal(locate("a~/b", bench.cwd), join(bench.cwd, "a~/b"));
});

test("paths that can be no paths are refused with the reason", () => {
  const wrong = [
    "",
    "  ",
    "a\0b",
    `${"a/".repeat(2100)}b`,
    "a".repeat(256),
    "\\\\?\\C:\\x",
    "\ud800",
  ];
  assert.deepEqual(
    wrong.filter((path) => pathProblem(path) === null),
    [],
  );
});

test("[E19] a backslash is a character like others", () => {
  const bench = workbench();
  const path = "C:\\Users\\unicorn\\a.txt";
  assert.equal(locate(path, bench.cwd), join(bench.cwd, path));
});

test("links in a circle are trouble, not a hang", () => {
  const bench = workbench();
  bench.link("a", "b");
  bench.link("b", "a");
  assert.equal(codeOf(locate("a/x", bench.cwd)), "bad_path");
});

test("[N05] composed and decomposed names find each other", () => {
  const bench = workbench();
  mkdirSync(join(bench.cwd, "ガ".normalize("NFD")));
  writeFileSync(join(bench.cwd, "ガ".normalize("NFD"), "é.txt".normalize("NFD")), "x");
  assert.equal(
    locate(`${"ガ".normalize("NFC")}/${"é.txt".normalize("NFC")}`, bench.cwd),
    join(bench.cwd, "ガ".normalize("NFD"), "é.txt".normalize("NFD")),
  );
});

test("a name that is no UTF-8 is shown with its bytes and found by that spelling", () => {
  const bench = workbench();
  execFileSync("sh", ["-c", "printf x > \"$(printf 'caf\\351.txt')\""], { cwd: bench.cwd });
  const found = locate("caf\\xE9.txt", bench.cwd);
  assert.ok(!isTrouble(found));
  assert.equal(shownPath(found, bench.cwd), "caf\\xE9.txt");
});

test("inside the workspace paths are shown relative, elsewhere absolute", () => {
  const shown = ["/w/a/b.ts", "/w", "/wx/b.ts"].map((path) => shownPath(path, "/w"));
  assert.deepEqual(shown, ["a/b.ts", ".", "/wx/b.ts"]);
});

test("a file in the place of a folder is followed as far as it goes", () => {
  const bench = workbench({ file: "x" });
  symlinkSync("file", bench.path("link"));
  assert.equal(locate("link/below", bench.cwd), join(bench.cwd, "file/below"));
});
