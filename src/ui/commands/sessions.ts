import { findSession, groundOf } from "#app/store";
import { isPawlError, PawlError } from "#core";
import type { SessionInfo } from "#runtime";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { cutLine } from "../terminal/neutralise.ts";

/** `pawl sessions [list|rm ID…|prune [DAYS]]` */
export async function sessions(start: Start): Promise<number> {
  const [action = "list", ...ids] = start.invocation.operands;
  const { words } = start.terminal;
  switch (action) {
    case "list":
      return list(start);
    case "rm":
      if (ids.length === 0) throw usage(start, words.sessions.rmNeedsId);
      return remove(start, ids);
    case "prune":
      return prune(start, ids);
    case "search":
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

const dayMs = 24 * 60 * 60 * 1000;
/** Sessions unused for longer are what `prune` without a number means. */
const defaultKeptDays = 30;

/** Removes what was not used for some days, of every folder. A session that is open somewhere stays (case S25). */
async function prune(start: Start, operands: readonly string[]): Promise<number> {
  const { terminal, settings } = start;
  const { words } = terminal;
  const [written = String(defaultKeptDays), ...more] = operands;
  if (!/^\d{1,5}$/.test(written) || more.length > 0)
    throw usage(start, words.sessions.pruneNeedsDays);
  const { store, clock } = groundOf(settings);
  const oldest = clock.now() - Number(written) * dayMs;
  const old = (await store.list()).filter((info) => info.updatedAt <= oldest);
  let bytes = 0;
  let removed = 0;
  for (const info of old) {
    if (!(await removeUnlessOpen(start, info))) continue;
    bytes += info.bytes;
    removed += 1;
  }
  await terminal.out.write(`${words.sessions.pruned(removed, Math.ceil(bytes / 1024))}\n`);
  return exitCodes.completed;
}

async function removeUnlessOpen(
  { terminal, settings }: Start,
  info: SessionInfo,
): Promise<boolean> {
  try {
    await groundOf(settings).store.remove(info.id);
    return true;
  } catch (error) {
    if (!isPawlError(error, "session_in_use")) throw error;
    terminal.note(terminal.words.sessions.keptOpen(info.id));
    return false;
  }
}
