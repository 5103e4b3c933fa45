import type { JsonObject } from "./json.ts";
import type { Access } from "./call.ts";

export type Verdict = "allow" | "deny" | "ask";

/** `auto` is refused by the app where no sandbox holds. */
export type Mode = "ask" | "read-only" | "edit" | "auto" | "bypass";

export type RuleSource =
  | "built_in"
  | "managed"
  | "user"
  | "project"
  | "session"
  | "flag"
  | "mode"
  | "hook";

/** One rule as written: `read`, `edit(src/**)`, `bash(git log *)`. */
export interface Rule {
  readonly verdict: Verdict;
  readonly tool: string;
  /** null = every use of the tool. */
  readonly pattern: string | null;
  readonly source: RuleSource;
}

/** An allowance a person gave for the rest of the session. */
export interface Grant {
  readonly tool: string;
  /** null = every use; else the exact resource. */
  readonly resource: string | null;
}

export interface Policy {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** Real paths of the folders that file tools may write in. */
  readonly roots: readonly string[];
  /** What becomes of a question: a person answers it, or it is denied with a hint. */
  readonly questions: "person" | "deny";
}

export interface PermissionRequest {
  readonly tool: string;
  readonly input: JsonObject;
  readonly access: Access;
  /** Real paths for file tools, the command for shells, the URL for requests. */
  readonly resources: readonly string[];
}

export interface Decision {
  readonly verdict: Verdict;
  /** The rule as written, or the name of the built-in one. */
  readonly rule: string;
  readonly reason: string;
}

const ruleForm = /^([A-Za-z_][\w-]*|\*)(?:\(([\s\S]*)\))?$/;

/** Reads `tool` or `tool(pattern)`; null when the text is neither. */
export function parseRule(written: string, verdict: Verdict, source: RuleSource): Rule | null {
  const match = ruleForm.exec(written.trim());
  const tool = match?.[1];
  if (tool === undefined) return null;
  return { verdict, tool, pattern: match?.[2] ?? null, source };
}

export const writtenRule = (rule: Rule): string =>
  rule.pattern === null ? rule.tool : `${rule.tool}(${rule.pattern})`;

/**
 * The gate: deny beats ask beats allow, whatever the source; then the mode; then the built-in default
 * (reads inside the workspace are free, everything else is a question).
 */
export function decide(
  policy: Policy,
  request: PermissionRequest,
  grants: readonly Grant[],
): Decision {
  const verdict = judge(policy, request, grants);
  if (verdict.verdict !== "ask" || policy.questions === "person") return verdict;
  return {
    verdict: "deny",
    rule: verdict.rule,
    reason: `${verdict.reason}; nobody is there to answer, so it is denied. Allow it with --allow or --permission-mode, or run with --on-ask pause`,
  };
}

function judge(policy: Policy, request: PermissionRequest, grants: readonly Grant[]): Decision {
  const denied = firstRule(policy, request, "deny");
  if (denied) return byRule(denied, request);
  if (policy.mode === "read-only" && request.access !== "read") {
    return { verdict: "deny", rule: "mode:read-only", reason: "the session is read-only" };
  }
  const outside = request.resources.find((resource) => isOutside(policy, request, resource));
  const allowed = coveringRule(policy, request);
  if (outside !== undefined && !allowed?.pattern && !granted(grants, request)) {
    return judgeOutside(policy, request, outside);
  }
  const asked = firstRule(policy, request, "ask");
  if (asked && policy.mode !== "bypass") return byRule(asked, request);
  if (allowed) return byRule(allowed, request);
  if (granted(grants, request)) {
    return { verdict: "allow", rule: "session:grant", reason: "allowed for this session" };
  }
  return judgeByMode(policy, request);
}

function judgeByMode(policy: Policy, request: PermissionRequest): Decision {
  if (request.access === "read") {
    return { verdict: "allow", rule: "built-in:read", reason: "reading inside the workspace" };
  }
  if (policy.mode === "bypass") {
    return { verdict: "allow", rule: "mode:bypass", reason: "the session asks no questions" };
  }
  if (policy.mode === "edit" && request.access === "write") {
    return {
      verdict: "allow",
      rule: "mode:edit",
      reason: "edits inside the workspace are allowed",
    };
  }
  return { verdict: "ask", rule: "built-in:ask", reason: `${request.tool} needs permission` };
}

function judgeOutside(policy: Policy, request: PermissionRequest, resource: string): Decision {
  const reason = `${resource} is outside the workspace`;
  if (policy.mode !== "bypass") return { verdict: "ask", rule: "built-in:outside", reason };
  if (request.access === "read") return { verdict: "allow", rule: "mode:bypass", reason };
  return {
    verdict: "deny",
    rule: "built-in:outside",
    reason: `${reason}; bypass turns questions off, not this wall (add the folder with --add-dir)`,
  };
}

function byRule(rule: Rule, request: PermissionRequest): Decision {
  const written = `${rule.source}:${writtenRule(rule)}`;
  return {
    verdict: rule.verdict,
    rule: written,
    reason: `the rule ${written} says ${rule.verdict} for ${request.tool}`,
  };
}

function firstRule(policy: Policy, request: PermissionRequest, verdict: Verdict): Rule | undefined {
  return policy.rules.find(
    (rule) =>
      rule.verdict === verdict && namesTool(rule, request) && matchesAny(rule, policy, request),
  );
}

/** An allow rule counts only when it covers every resource of the request. */
function coveringRule(policy: Policy, request: PermissionRequest): Rule | undefined {
  return policy.rules.find(
    (rule) =>
      rule.verdict === "allow" &&
      namesTool(rule, request) &&
      (rule.pattern === null ||
        (request.resources.length > 0 &&
          request.resources.every((resource) => matches(rule, policy, { request, resource })))),
  );
}

const namesTool = (rule: Rule, request: PermissionRequest): boolean =>
  rule.tool === "*" || rule.tool === request.tool;

function matchesAny(rule: Rule, policy: Policy, request: PermissionRequest): boolean {
  if (rule.pattern === null) return true;
  return request.resources.some((resource) => matches(rule, policy, { request, resource }));
}

function matches(
  rule: Rule,
  policy: Policy,
  on: { readonly request: PermissionRequest; readonly resource: string },
): boolean {
  const pattern = rule.pattern ?? "*";
  if (on.request.access === "exec") return matchesCommand(pattern, on.resource, rule.verdict);
  const names = [on.resource, ...policy.roots.flatMap((root) => relativeTo(root, on.resource))];
  return names.some((name) => globToRegExp(pattern).test(name));
}

const shellSyntax = /[;&|<>()$`\\"'\n\r{}*?[\]!#~=]/;

/**
 * Until commands are parsed (the shell analysis is a later capability) an allow pattern covers only plain
 * words, while deny and ask patterns match any stretch of the command: over-matching is the safe side.
 */
function matchesCommand(pattern: string, command: string, verdict: Verdict): boolean {
  const whole = wordsToRegExp(pattern);
  if (verdict === "allow") return !shellSyntax.test(command) && whole.test(command.trim());
  return command
    .split(/[;&|\n\r(){}`]+|\$\(/)
    .map((part) => part.trim())
    .flatMap((part) => suffixes(part.split(/\s+/)))
    .some((part) => whole.test(part));
}

const suffixes = (words: readonly string[]): string[] =>
  words.slice(0, 40).map((_, index) => words.slice(index).join(" "));

function wordsToRegExp(pattern: string): RegExp {
  const body = pattern.trim().split("*").map(escapeRegExp).join("[\\s\\S]*");
  // `git log *` also matches `git log` alone.
  return new RegExp(`^${body.replace(/ \[\\s\\S\]\*$/, "(?: [\\s\\S]*)?")}$`, "u");
}

function globToRegExp(pattern: string): RegExp {
  const body = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      return escapeRegExp(part);
    })
    .join("");
  // A pattern without a slash names a file in any folder, as in ignore files.
  return new RegExp(pattern.includes("/") ? `^${body}$` : `(?:^|/)${body}$`, "su");
}

const escapeRegExp = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

function relativeTo(root: string, path: string): readonly string[] {
  return path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [];
}

function isOutside(policy: Policy, request: PermissionRequest, resource: string): boolean {
  if (request.access !== "read" && request.access !== "write") return false;
  return !policy.roots.some(
    (root) => resource === root || resource.startsWith(root.endsWith("/") ? root : `${root}/`),
  );
}

function granted(grants: readonly Grant[], request: PermissionRequest): boolean {
  return grants.some(
    (grant) =>
      grant.tool === request.tool &&
      (grant.resource === null ||
        (request.resources.length > 0 &&
          request.resources.every((resource) => resource === grant.resource))),
  );
}
