import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { makeFolders } from "#adapters/system";
import { programVersion, shownUrl } from "#app";
import { checkProviders } from "#app/models";
import { checkModel, modelOffers } from "#app/session";
import { groundOf } from "#app/store";
import { isPawlError } from "#core";
import type { Words } from "#i18n";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { neutraliseLine } from "../terminal/neutralise.ts";
import { modelName } from "../view/model-name.ts";
import { networkFindings } from "./doctor-network.ts";

type Finding = {
  readonly state: "good" | "note" | "bad";
  readonly detail: string;
} & (
  | { readonly check: keyof Words["doctor"]["checks"] }
  | { readonly check: "provider"; readonly provider: string }
);

/** `pawl doctor [--offline]`: is this machine ready. @returns 0, or 1 when something cannot work */
export async function doctor(start: Start): Promise<number> {
  const { invocation, terminal } = start;
  const offline = invocation.commandOptions.has("offline");
  const parts = await Promise.all([
    node(),
    home(start),
    program("git", ["git"], "note"),
    program("bash", ["bash"], "bad"),
    searchProgram(),
    sandbox(start),
    ...networkFindings(start),
    model(start, offline),
  ]);
  const findings = parts.flat();
  const failed = findings.some((finding) => finding.state === "bad");
  if (invocation.commandOptions.has("json")) {
    await terminal.out.write(jsonLine({ ok: !failed, version: programVersion(), findings }));
  } else {
    const { good, bad, dim } = terminal.style.out;
    const marks = { good: good("✓"), note: dim("•"), bad: bad("✗") };
    for (const finding of findings) {
      const { state, detail } = finding;
      const name =
        finding.check === "provider"
          ? finding.provider
          : terminal.words.doctor.checks[finding.check];
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
    await makeFolders(folder, 0o700);
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

/** What a new session would run with. */
async function model(start: Start, offline: boolean): Promise<readonly Finding[]> {
  const { settings, terminal, cwd, invocation } = start;
  const { doctor: words } = terminal.words;
  const { baseUrl } = invocation.options;
  try {
    const found = checkModel(settings, cwd, baseUrl);
    const providers = offline ? [] : await providerFindings(start, found?.model ?? null);
    if (found === null) return [await modelOffered(start, offline), ...providers];
    const key = found.keyFrom === null ? words.noKeyNeeded : words.keyFrom(found.keyFrom);
    return [
      { check: "model", state: "good", detail: `${modelName(found.model, cwd)}, ${key}` },
      ...providers,
    ];
  } catch (error) {
    if (!isPawlError(error)) throw error;
    return [{ check: "model", state: "bad", detail: error.message }];
  }
}

async function providerFindings(
  { settings, invocation }: Start,
  model: string | null,
): Promise<readonly Finding[]> {
  const { clock } = groundOf(settings);
  return checkProviders(settings, { model, baseUrl: invocation.options.baseUrl, clock });
}

/** Nothing is set: it may be that a server of this machine has a model. */
async function modelOffered({ settings, terminal }: Start, offline: boolean): Promise<Finding> {
  const { model: words } = terminal.words;
  if (offline) return { check: "model", state: "note", detail: words.none };
  try {
    const [offer] = await modelOffers(settings);
    const detail =
      offer === undefined ? words.none : words.local.used(offer.ref, shownUrl(offer.baseUrl));
    return { check: "model", state: "good", detail };
  } catch (error) {
    if (!isPawlError(error)) throw error;
    return { check: "model", state: "note", detail: terminal.words.told.error(error) };
  }
}
