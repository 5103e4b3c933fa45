import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { programVersion } from "#app";
import { checkModel } from "#app/session";
import { isPawlError } from "#core";
import type { Words } from "#i18n";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { neutraliseLine } from "../terminal/neutralise.ts";
import { modelName } from "../view/model-name.ts";

interface Finding {
  readonly check: keyof Words["doctor"]["checks"];
  readonly state: "good" | "note" | "bad";
  readonly detail: string;
}

/** `pawl doctor [--offline]`: is this machine ready. @returns 0, or 1 when something cannot work */
export async function doctor(start: Start): Promise<number> {
  const { invocation, terminal } = start;
  const offline = invocation.commandOptions.has("offline");
  const findings = await Promise.all([
    node(),
    home(start),
    program("git", ["git"], "note"),
    program("bash", ["bash"], "bad"),
    searchProgram(),
    sandbox(start),
    model(start, offline),
  ]);
  const failed = findings.some((finding) => finding.state === "bad");
  if (invocation.commandOptions.has("json")) {
    await terminal.out.write(jsonLine({ ok: !failed, version: programVersion(), findings }));
  } else {
    const { good, bad, dim } = terminal.style.out;
    const marks = { good: good("✓"), note: dim("•"), bad: bad("✗") };
    for (const { check, state, detail } of findings) {
      const name = terminal.words.doctor.checks[check];
      await terminal.out.write(`${marks[state]} ${name}: ${lines(detail)}\n`);
    }
  }
  return failed ? exitCodes.failed : exitCodes.completed;
}

/** What is to be done may take several lines. */
const lines = (detail: string): string => detail.split("\n").map(neutraliseLine).join("\n");

async function node(): Promise<Finding> {
  return { check: "node", state: "good", detail: process.version };
}

async function home({ settings, terminal }: Start): Promise<Finding> {
  const { folder } = settings.home;
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, "", { flag: "wx" });
    await rm(probe);
    return { check: "home", state: "good", detail: folder };
  } catch {
    return { check: "home", state: "bad", detail: terminal.words.doctor.notWritable(folder) };
  }
}

/** @param missing how bad it is when none of the programs answers */
async function program(
  check: "git" | "bash" | "rg",
  files: readonly string[],
  missing: "note" | "bad",
): Promise<Finding> {
  for (const file of files) {
    const version = await versionOf(file);
    if (version !== null) return { check, state: "good", detail: version };
  }
  return { check, state: missing, detail: "—" };
}

/** First line of `--version`; null when it cannot be run. */
async function versionOf(file: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  execFile(file, ["--version"], { timeout: 5_000 }, (error, stdout) =>
    resolve(error ? null : (stdout.split("\n")[0] ?? "")),
  );
  return promise;
}

/** The packaged ripgrep, then the system's; without either the slower search of our own is used. */
async function searchProgram(): Promise<Finding> {
  const packaged = await import("@vscode/ripgrep").then(
    ({ rgPath }) => [rgPath],
    () => [],
  );
  return program("rg", [...packaged, "rg"], "note");
}

async function sandbox({ terminal }: Start): Promise<Finding> {
  return { check: "sandbox", state: "note", detail: terminal.words.doctor.noSandbox };
}

async function model(
  { settings, terminal, cwd, invocation }: Start,
  offline: boolean,
): Promise<Finding> {
  const { doctor: words } = terminal.words;
  try {
    const { model: ref, keyFrom, url } = checkModel(settings, cwd, invocation.options.baseUrl);
    const name = modelName(ref, cwd);
    const key = keyFrom === null ? words.noKeyNeeded : words.keyFrom(keyFrom);
    if (offline || url === null)
      return { check: "model", state: "good", detail: `${name}, ${key}` };
    const reached = await reachable(url);
    return {
      check: "model",
      state: reached === null ? "good" : "bad",
      detail: `${name}, ${key}, ${reached === null ? words.reached(url) : words.notReached(url, reached)}`,
    };
  } catch (error) {
    if (!isPawlError(error)) throw error;
    return { check: "model", state: "note", detail: error.message };
  }
}

/** null = something answered; else why not. Any HTTP answer counts: no key is sent. */
async function reachable(url: string): Promise<string | null> {
  try {
    await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000), redirect: "manual" });
    return null;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
