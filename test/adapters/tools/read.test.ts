import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import iconv from "iconv-lite";
import type { JsonObject } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, start, use, workbench } from "./workbench.ts";

const [read] = builtInTools();
assert.ok(read?.name === "read");
const tool = read;

const shown: readonly (readonly [
  what: string,
  content: string | Uint8Array,
  input: JsonObject,
  text: string,
])[] = [
  ["two lines", "one\ntwo\n", {}, "1\tone\n2\ttwo"],
  ["an empty file", "", {}, "[the file is empty: 0 bytes]"],
  ["a missing last newline", "one\ntwo", {}, "1\tone\n2\ttwo\n[no newline at the end]"],
  ["CRLF", "one\r\ntwo\r\n", {}, "1\tone\n2\ttwo\n[CRLF line ends]"],
  ["a byte order mark", "\ufeffone\n", {}, "1\tone\n[byte order mark]"],
  ["mixed line ends", "a\r\nb\nc\n", {}, "1\ta\n2\tb\n3\tc\n[mixed line ends (LF, CRLF)]"],
  ["lone CR only", "a\rb\r", {}, "1\ta\n2\tb\n[CR line ends]"],
  ["blank lines", "\n\n", {}, "1\t\n2\t"],
  [
    "a part",
    "a\nb\nc\nd\n",
    { offset: 2, limit: 2 },
    "2\tb\n3\tc\n[lines 2-3 of 4; go on with offset 4]",
  ],
  ["the last part", "a\nb\nc\n", { offset: 3, limit: 2 }, "3\tc\n[line 3 of 3]"],
  ["exactly the limit", "a\nb\n", { limit: 2 }, "1\ta\n2\tb"],
  ["offset 0 as the beginning", "a\n", { offset: 0 }, "1\ta"],
  ["GBK", iconv.encode("注释：你好\n", "gbk"), {}, "1\t注释：你好\n[encoding gb18030]"],
  [
    "UTF-16 with a mark",
    Buffer.from("\ufeffa\r\nb\r\n", "utf16le"),
    { offset: 2 },
    "2\tb\n[line 2 of 2]\n[encoding utf-16le, byte order mark, CRLF line ends]",
  ],
  [
    "a broken byte",
    Buffer.concat([Buffer.from("你好世界再见朋友们好\n"), Buffer.of(0xff, 0x0a)]),
    {},
    "1\t你好世界再见朋友们好\n2\t\ufffd\n[\ufffd stands for bytes that are no text; edit leaves them as they are]",
  ],
];

test("[N04] text is shown with line numbers, and everything unusual is said", async () => {
  const bench = workbench();
  const found = [];
  for (const [what, content, input] of shown) {
    bench.file("f", content);
    found.push([what, said(await use(tool, { path: "f", ...input }, bench))]);
  }
  assert.deepEqual(
    found,
    shown.map(([what, , , text]) => [what, text]),
  );
});

test("[E16] R110 pipes, sockets, devices and folders are refused at once", async () => {
  const bench = workbench();
  execFileSync("sh", ["-c", 'mkfifo "$0"', bench.path("pipe")]);
  mkdirSync(bench.path("folder"));
  const server = createServer().listen(bench.path("socket"));
  const answers = [];
  for (const path of ["pipe", "socket", "folder", "/dev/zero", "/dev/stdin", "missing"]) {
    const end = await use(tool, { path }, bench);
    answers.push([path, end.outcome, said(end).replaceAll(bench.cwd, ".")]);
  }
  server.close();
  assert.deepEqual(
    answers.map(([path, outcome]) => [path, outcome]),
    ["pipe", "socket", "folder", "/dev/zero", "/dev/stdin", "missing"].map((path) => [
      path,
      "error",
    ]),
  );
  assert.match(answers[0]?.[2] ?? "", /is a named pipe \(FIFO\), not a regular file/);
  assert.match(answers[1]?.[2] ?? "", /is a socket/);
  assert.match(answers[2]?.[2] ?? "", /is a folder, not a file. Use list/);
  assert.match(answers[3]?.[2] ?? "", /is a character device/);
});

test("R38 R112 a wrong path is answered with the names that are near", async () => {
  const bench = workbench({ "src/users.py": "", "src/order.py": "" });
  const end = await use(tool, { path: "src/user.py" }, bench);
  assert.deepEqual(
    [end.outcome, said(end)],
    [
      "error",
      "There is no file src/user.py; nothing was done. Its folder has: users.py. Use glob or list to find the right path.",
    ],
  );
  const lost = await use(tool, { path: "no/such/file" }, bench);
  assert.match(said(lost), /The folder no\/such does not exist either/);
});

test("[E17] a single line of 200 KB shows its beginning and says so", async () => {
  const bench = workbench({ "min.js": "x".repeat(200_000) });
  const text = said(await use(tool, { path: "min.js" }, bench));
  assert.equal(text.split("\n")[0], `1\t${"x".repeat(2000)}`);
  assert.match(
    text,
    /\[partial: only the first 2000 characters are shown of line 1 \(200000 characters\)/,
  );
  assert.match(text, /sed -n 1p 'min.js' \| cut -c2001-4000/);
});

test("[E17] a file of 3 GB is read from an offset without reading it all", async () => {
  const bench = workbench();
  const log = openSync(bench.path("log"), "w");
  writeSync(log, Array.from({ length: 300_000 }, (_, n) => `line ${n + 1}\n`).join(""));
  closeSync(log);
  truncateSync(bench.path("log"), 3_000_000_000);
  const end = await use(tool, { path: "log", offset: 299_990, limit: 2 }, bench);
  assert.equal(
    said(end),
    "299990\tline 299990\n299991\tline 299991\n[lines 299990-299991; the file (3.0 GB) goes on: offset 299992]",
  );
});

test("R51 long output is cut at whole lines, with the offset to go on from", async () => {
  const bench = workbench({ big: `${"0123456789".repeat(10)}\n`.repeat(1000) });
  const text = said(await use(tool, { path: "big" }, bench));
  const last = /\[lines 1-(\d+) of 1000; go on with offset (\d+)\]$/.exec(text);
  assert.ok(text.length <= 30_000 && text.length > 27_000, `${text.length}`);
  assert.equal(Number(last?.[1]) + 1, Number(last?.[2]));
  const next = said(await use(tool, { path: "big", offset: Number(last?.[2]) }, bench));
  assert.ok(next.startsWith(`${last?.[2]}\t0123`));
});

test("[W05] a long line is cut between characters", async () => {
  const bench = workbench({ emoji: `a${"😀".repeat(1500)}\n` });
  const text = said(await use(tool, { path: "emoji" }, bench));
  assert.ok(text.isWellFormed() && !text.includes("\ufffd"));
});

test("an offset past the end is an error that says how many lines there are", async () => {
  const bench = workbench({ f: "a\nb\n" });
  const end = await use(tool, { path: "f", offset: 9 }, bench);
  assert.deepEqual([end.outcome, said(end)], ["error", "f has 2 lines; line 9 is past its end."]);
});

test("an image comes as an image, one too large as an error", async () => {
  const bench = workbench();
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]);
  bench.file("a.png", png);
  bench.file("b.png", Buffer.concat([png, Buffer.alloc(50_000_000)]));
  const end = await use(tool, { path: "a.png" }, bench);
  assert.deepEqual(end.content[1], {
    type: "image",
    mediaType: "image/png",
    data: png.toString("base64"),
  });
  assert.match(said(await use(tool, { path: "b.png" }, bench)), /is an image of 50.0 MB/);
});

test("a binary file is an error that says what to do", async () => {
  const bench = workbench();
  bench.file("a.out", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3]));
  const end = await use(tool, { path: "a.out" }, bench);
  assert.match(said(end), /a.out is a binary file of 10 bytes; it is not shown/);
});

test("[G04] odd names are just names", async () => {
  const names = ["[id]/page.tsx", "(group)/a b.ts", "{a}.txt", "-dash", "100%.md", "#x", "'q'.txt"];
  const bench = workbench(Object.fromEntries(names.map((name) => [name, "ok\n"])));
  const answers = [];
  for (const path of names) answers.push(said(await use(tool, { path }, bench)));
  assert.deepEqual(
    answers,
    names.map(() => "1\tok"),
  );
});

test("R67 a file that became a link to elsewhere after it was judged is not read", async () => {
  const bench = workbench({ "a.txt": "mine" });
  const secret = join(dirname(bench.cwd), "secret");
  bench.file("../secret", "theirs");
  const started = await start(tool, { path: "a.txt" }, bench);
  assert.ok(typeof started !== "string");
  rmSync(bench.path("a.txt"));
  symlinkSync(secret, bench.path("a.txt"));
  const end = await started.run();
  assert.equal(end.outcome, "error");
  assert.match(said(end), /is not what permission was given for; nothing was read/);
});

test("a read that is stopped ends as what stopped it", async () => {
  const bench = workbench({ f: "a\n" });
  const started = await start(tool, { path: "f" }, bench);
  assert.ok(typeof started !== "string");
  const end = await started.run({ signal: AbortSignal.abort("timeout") });
  assert.equal(end.outcome, "timeout");
});

test("links that lead in a circle are inside the workspace, and said to be what they are", async () => {
  const bench = workbench();
  bench.link("a", "b");
  bench.link("b", "a");
  const started = await start(tool, { path: "a" }, bench);
  assert.ok(typeof started !== "string");
  assert.deepEqual(started.need.resources, [bench.path("a")]);
  assert.match(said(await use(tool, { path: "a" }, bench)), /symbolic links lead in a circle/);
});
