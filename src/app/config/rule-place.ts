import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Rule } from "#core";

/** Tools whose patterns are paths. */
const pathTools: ReadonlySet<string> = new Set(["read", "write", "edit", "glob", "grep", "list"]);

/**
 * A rule as its pattern is compared: with real paths. `~` is the home folder, and links on the way to the first
 * wildcard are followed; a deny rule that is written through a link would silently never match.
 */
export function placedRule(rule: Rule): Rule {
  if (rule.pattern === null || !pathTools.has(rule.tool)) return rule;
  const pattern = rule.pattern.replace(/^~(?=\/|$)/, homedir());
  return { ...rule, pattern: pattern.startsWith("/") ? realPattern(pattern) : pattern };
}

function realPattern(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = wild < 0 ? parts : parts.slice(0, wild);
  const rest = wild < 0 ? [] : parts.slice(wild);
  const folder = pattern.endsWith("/") && wild < 0 ? "/" : "";
  return [realFolder(join("/", ...fixed)), ...rest].join("/").replace(/^\/\//, "/") + folder;
}

/** What is not there yet lies in the real folder above it. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing, or not to be looked at: what is above it may be a link all the same.
    return dirname(path) === path
      ? path
      : join(realFolder(dirname(path)), path.slice(dirname(path).length));
  }
}
