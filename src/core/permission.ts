import { type Because, sentenceOf } from "./because.ts";
import type { Access } from "./call.ts";
import { coveringRules, firstRule, relativeTo } from "./matching.ts";
import { isPlainCommand } from "./pattern.ts";
import type { Grant, PermissionRequest, Policy } from "./policy.ts";
import { parseRule, writtenRule, type Rule, type Verdict } from "./rule.ts";
import { wayOut } from "./way-out.ts";

/** Who decided about a call. `headless`: it was a question, and nobody was there to answer. */
export type Decider = "rule" | "user" | "hook" | "mode" | "headless";

export interface Decision {
  readonly verdict: Verdict;
  readonly by: Exclude<Decider, "user" | "hook">;
  /** The rule as written, or the name of the built-in one. */
  readonly rule: string;
  readonly because: Because;
  /** `because` as a sentence. */
  readonly reason: string;
}

const askedByDefault = "built-in:ask";
const askedOutside = "built-in:outside";
const askedInGit = "built-in:git";

/**
 * The gate: deny beats ask beats allow, whatever the source; then the mode; then the built-in default
 * (reads inside the workspace are free, everything else is a question).
 */
export function decide(
  policy: Policy,
  request: PermissionRequest,
  grants: readonly Grant[],
): Decision {
  const judged = judge(policy, request, grants);
  if (judged.verdict !== "ask" || policy.questions === "person") return judged;
  const isAllowed = (changed: Partial<Policy>): boolean =>
    judge({ ...policy, ...changed }, request, grants).verdict === "allow";
  const out = wayOut(
    { ...request, roots: policy.roots },
    {
      mode: (mode) => isAllowed({ mode }),
      rule(written) {
        const rule = parseRule(written, "allow", "flag");
        return rule !== null && isAllowed({ rules: [...policy.rules, rule] });
      },
    },
  );
  const because: Because = { type: "nobody", question: judged.because, ...out };
  return decision("deny", judged.rule, because);
}

const decision = (verdict: Verdict, rule: string, because: Because): Decision => ({
  verdict,
  by: because.type === "nobody" ? "headless" : rule.startsWith("mode:") ? "mode" : "rule",
  rule,
  because,
  reason: sentenceOf(because),
});

function judge(policy: Policy, request: PermissionRequest, grants: readonly Grant[]): Decision {
  const denied = firstRule(policy, request, "deny");
  if (denied) return byRule(denied, request);
  if (policy.mode === "read-only" && request.access !== "read") {
    return decision("deny", "mode:read-only", { type: "read_only_mode" });
  }
  const allowed = coveringRules(policy, request);
  const outside = request.resources.find((resource) => isOutside(policy, request, resource));
  const isGranted = granted(policy, request, grants);
  if (outside !== undefined && !isGranted && !allowed.some(opensTheWall)) {
    return judgeOutside(policy, request, outside);
  }
  const asked = firstRule(policy, request, "ask");
  if (asked && policy.mode !== "bypass") return byRule(asked, request);
  if (allowed[0]) return byRule(allowed[0], request);
  if (isGranted) return decision("allow", "session:grant", { type: "granted" });
  return judgeByMode(policy, request);
}

/** Only a rule that names the place from the root on reaches out of the workspace, never a bare tool or `*.md`. */
const opensTheWall = (rule: Rule): boolean => rule.pattern?.startsWith("/") ?? false;

function judgeByMode(policy: Policy, request: PermissionRequest): Decision {
  if (request.access === "read") return decision("allow", "built-in:read", { type: "inside" });
  if (policy.mode === "bypass") return decision("allow", "mode:bypass", { type: "bypass_mode" });
  const inGit = request.access === "write" ? request.resources.find(isInGitFolder) : undefined;
  if (inGit !== undefined) return decision("ask", askedInGit, { type: "git", path: inGit });
  if (policy.mode === "edit" && request.access === "write") {
    return decision("allow", "mode:edit", { type: "edit_mode" });
  }
  return decision("ask", askedByDefault, {
    type: "no_rule",
    tool: request.tool,
    others: otherRules(policy, request),
    limit:
      request.access === "exec" && !request.resources.every(isPlainCommand) ? "plain_words" : null,
  });
}

/** Allow rules for this tool that cover other calls: named so that nobody takes them for one that covers this. */
const otherRules = (policy: Policy, request: PermissionRequest): readonly string[] =>
  policy.rules
    .filter((rule) => rule.verdict === "allow" && rule.tool === request.tool)
    .slice(0, 3)
    .map((rule) => `${rule.source}:${writtenRule(rule)}`.slice(0, 100));

/** Hooks and settings in there are commands: whoever writes them needs no permission for a command any more. */
const isInGitFolder = (path: string): boolean => /(?:^|\/)\.git(?:\/|$)/i.test(path);

function judgeOutside(policy: Policy, request: PermissionRequest, path: string): Decision {
  if (policy.mode !== "bypass") return decision("ask", askedOutside, { type: "outside", path });
  return request.access === "read"
    ? decision("allow", "mode:bypass", { type: "outside", path })
    : decision("deny", askedOutside, { type: "wall", path });
}

function byRule(rule: Rule, { tool }: PermissionRequest): Decision {
  const written = `${rule.source}:${writtenRule(rule)}`;
  return decision(rule.verdict, written, {
    type: "rule",
    rule: written,
    verdict: rule.verdict,
    tool,
  });
}

function isOutside(policy: Policy, request: PermissionRequest, resource: string): boolean {
  if (request.access !== "read" && request.access !== "write") return false;
  return !policy.roots.some((root) => resource === root || relativeTo(root, resource).length > 0);
}

/** A grant for a whole tool ends at the wall: outside, and in git's own folder, each resource needs its own. */
function granted(policy: Policy, request: PermissionRequest, grants: readonly Grant[]): boolean {
  const own = grants.filter((grant) => grant.tool === request.tool);
  if (request.resources.length === 0) return own.some((grant) => grant.resource === null);
  return request.resources.every((resource) =>
    own.some(
      (grant) =>
        grant.resource === resource ||
        (grant.resource === null &&
          !isOutside(policy, request, resource) &&
          !isInGitFolder(resource)),
    ),
  );
}

/**
 * What the answer "yes, for this session" to a question grants: the tool inside the workspace where the built-in
 * rule asked about a file, else the very resource. A written `ask` rule is asked every time, so nothing is granted.
 */
export function grantFor(question: {
  readonly tool: string;
  readonly access: Access;
  readonly resources: readonly string[];
  /** The rule that asked. */
  readonly rule: string;
}): Grant | null {
  const { tool, access, resources, rule } = question;
  const [resource] = resources;
  if (rule === askedByDefault && (access === "read" || access === "write")) {
    return { tool, resource: null };
  }
  if (![askedByDefault, askedOutside, askedInGit].includes(rule)) return null;
  return resource !== undefined && resources.length === 1 ? { tool, resource } : null;
}
