import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";

import { loadSettings } from "#app/config";
import type { OpenRequest } from "#app";
import { PawlError } from "#core";
import { type Words, wordsFor } from "#i18n";
import type { Invocation } from "./command-line/invocation.ts";
import { commandFor } from "./commands/index.ts";
import type { Start } from "./starting-point.ts";
import { openTerminal } from "./terminal/terminal.ts";

/** Reads the settings and hands over to the face or command that was asked for. */
export async function start(invocation: Invocation, asked: Words): Promise<number> {
  const { options, command } = invocation;
  const cwd = await workingFolder(options.cwd, asked);
  const settings = await loadSettings({
    environment: process.env,
    cwd,
    words: asked,
    flags: options.settings,
    rules: options.rules,
    projectConfig: options.projectConfig,
    ...(options.configFile === null ? {} : { configFile: fromHere(options.configFile, cwd) }),
  });
  const words = settings.language === null ? asked : await wordsFor(settings.language);
  const color = options.color && !process.env["NO_COLOR"];
  const terminal = openTerminal({ words, loudness: options.loudness, color });
  const begun: Start = { invocation, terminal, cwd, settings: { ...settings, words } };
  if (command !== null) {
    const runCommand = await commandFor(command, words);
    return runCommand(begun);
  }
  for (const notice of settings.notices) terminal.warn(`! ${notice}`);
  const request = openRequest(begun);
  if (options.print) {
    const { headless } = await import("./headless/index.ts");
    return headless(invocation, terminal, request);
  }
  const isForPrograms =
    options.outputFormat !== "text" || options.inputFormat !== "text" || options.includeSignals;
  if (isForPrograms || options.jsonSchema !== null) {
    throw new PawlError("usage", words.usage.streamNeedsPrint);
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new PawlError("usage", words.usage.noTerminal);
  }
  const { interactive } = await import("./interactive/index.ts");
  return interactive(invocation, terminal, request);
}

/** Real path of the folder to work in. @throws PawlError `folder_missing` */
async function workingFolder(named: string | null, words: Words): Promise<string> {
  const current = currentFolder();
  if (named === null && current === null) {
    throw new PawlError("folder_missing", words.session.ownFolderGone);
  }
  const path = named === null ? (current ?? "") : resolve(current ?? "/", named);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory())
    throw new PawlError("folder_missing", words.session.folderMissing(path));
  return realpath(path);
}

/** Paths on the command line mean what they mean to the shell, whatever `--cwd` says. */
const fromHere = (path: string, cwd: string): string => resolve(currentFolder() ?? cwd, path);

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    // It was deleted under us.
    return null;
  }
}

function openRequest({ invocation, cwd, settings }: Start): OpenRequest {
  const { options } = invocation;
  return {
    settings,
    cwd,
    startedIn: currentFolder() ?? cwd,
    cwdIsChosen: options.cwd !== null,
    which: options.which,
    baseUrl: options.baseUrl,
    fallback: options.fallback,
    addDirs: options.addDirs.map((folder) => fromHere(folder, cwd)),
    worktree: options.worktree,
    questions: "person",
  };
}
