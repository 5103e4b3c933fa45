import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { endRun, startRun } from "#adapters/exec";

import {
  cancelledAfterOutput,
  ended,
  endOf,
  goneWithin,
  isThere,
  never,
  processesWith,
  run,
  specOf,
} from "./fixture.ts";

describe("startRun", { concurrency: 4 }, () => {
  test("of many starts with one run folder exactly one executes the command", async () => {
    const spec = specOf("echo once >> {id}.txt");

    const results = await Promise.all([run(spec), run(spec), run(spec), run(spec), run(spec)]);

    const refused = results.filter((one) => one.at === "not_started" && one.reason === "claimed");
    assert.equal(refused.length, 4);
    assert.equal(readFileSync(join(spec.cwd, `${spec.id}.txt`), "utf8"), "once\n");
  });

  for (const { command, exitCode, signal } of [
    { command: "exit 0", exitCode: 0, signal: null },
    { command: "exit 3", exitCode: 3, signal: null },
    { command: "no-such-program", exitCode: 127, signal: null },
    { command: "kill -9 $$", exitCode: 137, signal: "SIGKILL" },
    { command: "kill -INT $$", exitCode: 130, signal: "SIGINT" },
    { command: "bash -c 'kill -SEGV $$'", exitCode: 139, signal: "SIGSEGV" },
    { command: "kill 0; sleep 5", exitCode: 143, signal: "SIGTERM" },
    { command: "pkill -9 -f only_in_the_command; true", exitCode: 137, signal: "SIGKILL" },
  ]) {
    test(`[B08] exit status of: ${command}`, async () => {
      const end = await endOf(command);

      assert.deepEqual([end.exitCode, end.signal, end.cause], [exitCode, signal, "exit"]);
    });
  }

  test("[B02] a command that reads its input finds it at its end", async () => {
    const end = await endOf("cat; read x; echo read:$?; python3 -c 'print(1)' </dev/stdin; tty");

    assert.match(end.output.head, /^read:1\n/);
  });

  test("[B10] the shell gets the exact bytes of the command", async () => {
    const text = ["a!b \\", "  ${x + 1} `t` 'q' \"d\"", "\t\\n \u00e9\u4f60\u{1f600}"].join("\n");

    const end = await endOf(`cat <<'EOF'\n${text}\nEOF\nprintf %s 'select(.x != 1)' a\\\nb`);

    assert.equal(end.output.head, `${text}\nselect(.x != 1)ab`);
  });

  test("stdout and stderr come in order, and writing to /dev/stderr loses nothing", async () => {
    const end = await endOf(
      "echo a; echo b >&2; echo c > /dev/stderr; echo d > /dev/stdout; echo e",
    );

    assert.equal(end.output.head, "a\nb\nc\nd\ne\n");
    assert.equal(readFileSync(end.output.path, "utf8"), end.output.head);
  });

  test("the command gets the environment and directory given, and the marker of its call", async () => {
    const spec = specOf("env | grep -vE '^(_|SHLVL)='; pwd", {
      env: { PATH: "/usr/bin:/bin", A: "x  y\n", PAWL_CALL: "outer_call" },
      cwd: "/usr",
    });

    const end = ended(await run(spec));

    const lines = ["PWD=/usr", "A=x  y", "", `PAWL_CALL=outer_call:${spec.marker}`];
    assert.deepEqual(
      end.output.head.split("\n").toSorted(),
      [...lines, "PATH=/usr/bin:/bin", "/usr", ""].toSorted(),
    );
  });

  for (const command of [
    "sleep 60 & echo done",
    "yes > /dev/stdout & echo done",
    "setsid sleep 60 & echo done",
    "setsid sleep 60 >/dev/null 2>&1 & echo done",
  ]) {
    test(`[B01] returns though something goes on, says so, and ends it: ${command}`, async () => {
      const spec = specOf(command);
      const startedMs = performance.now();

      const end = ended(await run(spec));

      const tookMs = performance.now() - startedMs;
      assert.ok(tookMs < 5_000, `${tookMs} ms`);
      assert.ok(readFileSync(end.output.path).includes("done\n"));
      assert.equal(end.leftRunning, true);
      await endRun(spec.runDir);
      assert.deepEqual(await goneWithin(5_000, spec.id), []);
    });
  }

  test("output that a busy machine passes on late is neither lost nor taken for a background process", async () => {
    const copier = "ps -o pid=,comm= -g $(ps -o sid= -p $$) | awk '$2 == \"tee\" { print $1 }'";
    const spec = specOf(
      `copier=$(${copier}); kill -STOP $copier; echo said; echo $copier >{id}.pid`,
    );
    const running = run(spec);
    assert.ok(await isThere(join(spec.runDir, "end")));

    setTimeout(() => {
      process.kill(Number(readFileSync(join(spec.cwd, `${spec.id}.pid`), "utf8")), "SIGCONT");
    }, 200);

    const { output, leftRunning } = ended(await running);
    assert.deepEqual([output.head, leftRunning], ["said\n", false]);
  });

  test("R109: at its time limit the tree of a command is ended and its output kept", async () => {
    const spec = specOf("echo before; (sleep 60; echo never) | cat; echo after", {
      timeoutMs: 1_000,
    });

    const end = ended(await run(spec));

    assert.deepEqual([end.exitCode, end.cause, end.output.head], [143, "timeout", "before\n"]);
    assert.deepEqual(await goneWithin(5_000, spec.id), []);
  });

  test("[B08] a command that exits with 0 when its time is over is reported with both facts", async () => {
    const end = await endOf("trap 'echo bye; exit 0' TERM; while :; do sleep 0.02; done", {
      timeoutMs: 1_000,
    });

    assert.deepEqual([end.exitCode, end.cause], [0, "timeout"]);
    assert.match(end.output.head, /bye\n$/);
  });

  test("[I05] a cancelled command keeps what it printed", async () => {
    const spec = specOf("seq 10; exec sleep 60");

    const { cause, output } = ended(await cancelledAfterOutput(spec));

    assert.deepEqual([cause, output.head], ["cancelled", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"]);
  });

  test("cancel ends what ignores SIGTERM, what left the group and what is stopped", async () => {
    const spec = specOf(
      `trap '' TERM; setsid bash -c 'trap "" TERM HUP; sleep 60; sleep 60' & (kill -STOP $BASHPID; sleep 60) &
       (setsid sleep 60 & exit); echo up; sleep 60; sleep 60`,
    );

    const result = await cancelledAfterOutput(spec);

    const { cause, exitCode, output, leftRunning, durationMs } = ended(result);
    assert.deepEqual(
      [cause, exitCode, output.head, leftRunning],
      ["cancelled", 137, "up\n", false],
    );
    assert.ok(durationMs < 5_000, `${durationMs} ms`);
    assert.deepEqual(await goneWithin(5_000, spec.id), []);
  });

  test("cancel ends nobody whose marker only begins alike", async () => {
    const spec = specOf("echo up; sleep 60");
    const other = specOf("sleep 1.5; echo done", { marker: `${spec.marker}0` });

    const [result, untouched] = await Promise.all([cancelledAfterOutput(spec), run(other)]);

    assert.equal(ended(result).cause, "cancelled");
    assert.equal(ended(untouched).output.head, "done\n");
  });

  test("cancelled before it begins, it is not started", async () => {
    const spec = specOf("touch {id}");

    const result = await run(spec, AbortSignal.abort());

    assert.equal(result.at === "not_started" && result.reason, "cancelled");
    assert.equal(existsSync(join(spec.cwd, spec.id)), false);
  });

  test("cancelled at once, it has ended or was never executed", async () => {
    const spec = specOf("sleep 60");
    const controller = new AbortController();

    const result = startRun(spec, { signal: controller.signal });
    controller.abort();

    assert.equal(ended(await result).cause, "cancelled");
    assert.deepEqual(await goneWithin(5_000, spec.id), []);
  });

  test("[B07] 300 MB of output are bounded on disk and in memory, and the end is shown", async () => {
    const beforeBytes = process.memoryUsage().rss;
    const spec = specOf("yes {id} | head -c 300000000; echo; echo END", { diskBytes: 1024 * 1024 });

    const { output, exitCode } = ended(await run(spec));

    assert.equal(exitCode, 0);
    assert.equal(output.totalBytes, 300_000_005);
    assert.equal(statSync(output.path).size, 1024 * 1024);
    assert.equal(output.keptBytes, 1024 * 1024);
    assert.ok(output.tail.endsWith("\nEND\n"));
    assert.equal(output.head.length + output.tail.length, 30_000);
    assert.equal(output.omittedBytes, 300_000_005 - 30_000);
    assert.ok(process.memoryUsage().rss - beforeBytes < 200e6);
  });

  test("output is shown while it comes", async () => {
    const seen: string[] = [];

    await startRun(specOf("echo a; sleep 0.3; echo b"), {
      signal: never(),
      onOutput: (text) => seen.push(text),
    });

    assert.equal(seen.join(""), "a\nb\n");
  });

  test("a directory that is gone is an answer, not an exception", async () => {
    const spec = specOf("touch {id}");
    const cwd = join(spec.cwd, `${spec.id}-gone`);
    mkdirSync(cwd);
    rmSync(cwd, { recursive: true });

    const result = await run({ ...spec, cwd });

    assert.deepEqual(result, {
      at: "not_started",
      reason: "no_cwd",
      message: `The working directory ${cwd} is not there any more. The command was not run. Choose another directory.`,
    });
  });

  for (const { title, command, env, reason } of [
    { title: "with a NUL byte", command: "a\0b", env: {}, reason: "bad_command" },
    {
      title: "longer than an argument may be",
      command: `# ${"x".repeat(131_072)}`,
      env: {},
      reason: "too_long",
    },
    {
      title: "with too large an environment",
      command: "true",
      env: { A: "x".repeat(200_000) },
      reason: "too_long",
    },
  ]) {
    test(`a command ${title} is refused`, async () => {
      const result = await run(specOf(command, { env }));

      assert.equal(result.at === "not_started" && result.reason, reason);
    });
  }

  test("the longest command that fits runs", async () => {
    const end = await endOf(`echo ${"x".repeat(131_000)} | wc -c`);

    assert.equal(end.output.head.trim(), "131001");
  });

  test("a run folder that cannot be written is refused", async () => {
    const spec = specOf("true");

    const result = await run({ ...spec, runDir: "/dev/null/run" });

    assert.equal(result.at, "not_started");
  });

  test("nothing of the supervisor stays after a command", async () => {
    const spec = specOf("true");

    await run(spec);

    assert.deepEqual(await goneWithin(5_000, spec.id), []);
    assert.deepEqual(processesWith(spec.marker), []);
  });
});
