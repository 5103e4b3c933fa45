import { findSession, groundOf } from "#app/store";
import { PawlError } from "#core";
import type { SessionInfo } from "#runtime";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { cutLine } from "../terminal/neutralise.ts";

/** `pawl sessions [list|rm ID…]` */
export async function sessions(start: Start): Promise<number> {
  const [action = "list", ...ids] = start.invocation.operands;
  const { words } = start.terminal;
  switch (action) {
    case "list":
      return list(start);
    case "rm":
      if (ids.length === 0) throw usage(start, words.sessions.rmNeedsId);
      return remove(start, ids);
    case "search":
    case "prune":
      throw new PawlError("not_in_this_version", words.usage.notYet(`pawl sessions ${action}`));
    default:
      throw usage(start, words.sessions.unknownAction(action));
  }
}

const usage = ({ terminal }: Start, what: string): PawlError =>
  new PawlError("usage", terminal.words.usage.operand("sessions", what));

async function list({ invocation, terminal, settings, cwd }: Start): Promise<number> {
  const { store } = groundOf(settings);
  const { commandOptions } = invocation;
  const found = await store.list(commandOptions.has("all") ? {} : { cwd });
  if (commandOptions.has("json")) {
    await terminal.out.write(jsonLine(found));
    return exitCodes.completed;
  }
  if (found.length === 0) terminal.note(terminal.words.session.none(cwd));
  for (const info of found) {
    const place = commandOptions.has("all") ? `  ${info.cwd}` : "";
    const used = info.inUse ? ` [${terminal.words.sessions.inUse}]` : "";
    const title = info.title === "" ? terminal.words.sessions.noPrompt : info.title;
    const line = `${info.id}  ${localTime(info)}${used}  ${title}${place}`;
    await terminal.out.write(`${cutLine(line, 200)}\n`);
  }
  return exitCodes.completed;
}

/** `2026-01-31 09:05` in the time of this machine. */
export function localTime({ updatedAt }: Pick<SessionInfo, "updatedAt">): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const at = new Date(updatedAt);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

async function remove({ terminal, settings }: Start, ids: readonly string[]): Promise<number> {
  const { store } = groundOf(settings);
  // Found before any is removed: a typing error in the last one removes none.
  const found: SessionInfo[] = [];
  for (const id of ids) found.push(await findSession(store, id));
  for (const info of found) {
    await store.remove(info.id);
    await terminal.out.write(`${terminal.words.sessions.removed(info.id)}\n`);
  }
  return exitCodes.completed;
}
