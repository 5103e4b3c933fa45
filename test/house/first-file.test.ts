import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";

/** Loaded first, it makes this Node look old, so that the real one plays the packaged one. */
const LOOK_OLD = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } });
Object.defineProperty(process, "version", { value: "v20.20.2" });`;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-first-file-"));
  mkdirSync(join(folder, "bin"));
  cpSync(join(ROOT, "src/bin/pawl.cjs"), join(folder, "bin/pawl.cjs"));
  writeFileSync(join(folder, "package.json"), `{ "type": "module", "version": "9.8.7" }`);
  writeFileSync(join(folder, "old.cjs"), LOOK_OLD);
});

afterEach(() => rmSync(folder, { recursive: true }));

function writeMain(text: string): void {
  writeFileSync(join(folder, "bin/pawl.js"), text);
}

function installPackagedNode(): void {
  const bin = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "../package.json"), "{}");
  symlinkSync(process.execPath, join(bin, "node"));
}

const onNewNode = (...args: string[]): string[] => [join(folder, "bin/pawl.cjs"), ...args];
const onOldNode = (...args: string[]): string[] => [
  "--require",
  join(folder, "old.cjs"),
  ...onNewNode(...args),
];

/** Runs the first file to its end. */
function run(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, PAWL_HOME: join(folder, "home") };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("--version is answered without loading the program, on an old Node too", () => {
  writeMain("throw new Error('loaded');");
  const answer = { status: 0, stdout: "9.8.7\n", stderr: "" };
  assert.deepEqual(run(onNewNode("--version")), answer);
  assert.deepEqual(run(onOldNode("--version")), answer);
});

test("the program gets the arguments and gives the exit code", () => {
  writeMain("console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  assert.deepEqual(run(onNewNode("a", "b")), { status: 7, stdout: "a,b\n", stderr: "" });
});

test("an old Node hands over to the packaged one: same arguments, same exit code", () => {
  installPackagedNode();
  writeMain("console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  assert.deepEqual(run(onOldNode("a", "b")), { status: 7, stdout: "a,b\n", stderr: "" });
});

test("an old Node without the packaged one says in both languages what to do", () => {
  writeMain("throw new Error('loaded');");
  const { status, stdout, stderr } = run(onOldNode("a"));
  assert.deepEqual([status, stdout, stderr.split("\n").length], [1, "", 2]);
  assert.match(stderr, /needs Node 22\.19 or newer, this is v20\.20\.2.*需要 Node 22\.19/);
});

test(
  "when the old Node is killed, the packaged one it started dies too",
  { timeout: 10_000 },
  async () => {
    installPackagedNode();
    writeMain("console.log(process.pid); setInterval(() => {}, 1000);");
    const env = { ...process.env, PAWL_HOME: join(folder, "home") };
    const launcher = spawn(process.execPath, onOldNode(), {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(launcher.stdout, "data")) as [Buffer];
    const pid = Number(String(line));
    assert.notEqual(pid, launcher.pid);

    launcher.kill("SIGKILL");
    // The program holds the other end of this pipe, so this comes only when it is gone.
    await once(launcher.stdout, "close");
  },
);

test("an interrupt of the old Node reaches the program", async () => {
  installPackagedNode();
  writeMain(`process.on("SIGINT", () => process.exit(130)); setInterval(() => {}, 1000);
    console.log("ready");`);
  const env = { ...process.env, PAWL_HOME: join(folder, "home") };
  const launcher = spawn(process.execPath, onOldNode(), { env, stdio: ["ignore", "pipe", "pipe"] });
  await once(launcher.stdout, "data");
  launcher.kill("SIGINT");
  const [code] = (await once(launcher, "exit")) as [number | null];
  assert.equal(code, 130);
});
