import { matchesCommand, matchesPath, matchesUrl, type Reach } from "./pattern.ts";
import type { PermissionRequest, Policy } from "./policy.ts";
import type { Rule } from "./rule.ts";

/** The first rule that denies, or asks about, any resource of the request. */
export const firstRule = (
  policy: Policy,
  request: PermissionRequest,
  verdict: "ask" | "deny",
): Rule | undefined =>
  policy.rules.find((rule) => rule.verdict === verdict && reaches(policy, rule, request));

function reaches(policy: Policy, { pattern, ...rule }: Rule, request: PermissionRequest): boolean {
  if (!namesTool(rule, request) && !alsoMeant[rule.tool]?.includes(request.tool)) return false;
  const matches = matcher(policy, request, "broad");
  return pattern === null || request.resources.some((resource) => matches(pattern, resource));
}

/** An allow rule counts only when it covers every resource of the request. */
export function coveringRules(policy: Policy, request: PermissionRequest): readonly Rule[] {
  const matches = matcher(policy, request, "exact");
  const { resources } = request;
  return policy.rules.filter(
    ({ pattern, ...rule }) =>
      rule.verdict === "allow" &&
      namesTool(rule, request) &&
      (pattern === null ||
        (resources.length > 0 && resources.every((resource) => matches(pattern, resource)))),
  );
}

const namesTool = ({ tool }: Pick<Rule, "tool">, request: PermissionRequest): boolean =>
  tool === "*" || tool === request.tool;

/** What denies or asks also holds for the tools that would show or do the same in another way. */
const alsoMeant: Readonly<Record<string, readonly string[]>> = {
  read: ["grep", "glob", "list", "edit"],
  write: ["edit"],
  edit: ["write"],
};

/** How patterns are compared with the resources of this request. */
function matcher(
  { roots }: Policy,
  { access }: PermissionRequest,
  reach: Reach,
): (pattern: string, resource: string) => boolean {
  switch (access) {
    case "exec":
      return (pattern, command) => matchesCommand(pattern, command, reach);
    case "network":
      return (pattern, url) => matchesUrl(pattern, url, reach);
    case "read":
    case "write":
      return (pattern, path) =>
        matchesPath(pattern, [path, ...roots.flatMap((root) => relativeTo(root, path))], reach);
    default:
      return access satisfies never;
  }
}

const asFolder = (root: string): string => (root.endsWith("/") ? root : `${root}/`);

export const relativeTo = (root: string, path: string): readonly string[] =>
  path.startsWith(asFolder(root)) ? [path.slice(asFolder(root).length)] : [];

/**
 * Which files, by real path, a tool leaves out that looks through folders: what a rule denies or asks about comes out
 * only through a call that names it.
 * @param searched what the call itself was judged by: a rule that reaches all of it has been answered already
 */
export function hiddenFrom(policy: Policy, searched: PermissionRequest): (path: string) => boolean {
  const rules = policy.rules.filter(
    (rule) =>
      (rule.verdict === "deny" || (rule.verdict === "ask" && policy.mode !== "bypass")) &&
      reaches(policy, { ...rule, pattern: null }, searched) &&
      !reaches(policy, rule, searched),
  );
  return (path) => rules.some((rule) => reaches(policy, rule, { ...searched, resources: [path] }));
}
