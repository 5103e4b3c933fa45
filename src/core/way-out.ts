/** What a person could give the program so that a call needs no question. */
export interface WayOut {
  /** The smallest rule; null when no rule would do. */
  readonly allow: string | null;
  readonly mode: "edit" | "bypass" | null;
}

interface Asked {
  readonly tool: string;
  readonly resources: readonly string[];
  readonly roots: readonly string[];
}

/** The gate itself, asked whether the call would then be allowed. */
interface Tries {
  rule(written: string): boolean;
  mode(mode: "edit" | "bypass"): boolean;
}

/** Only what was tried and would do is named. */
export function wayOut(asked: Asked, tries: Tries): WayOut {
  const allow = rulesFor(asked).find((written) => tries.rule(written));
  const mode = (["edit", "bypass"] as const).find((one) => tries.mode(one));
  return { allow: allow ?? null, mode: mode ?? null };
}

/** Characters; a longer rule is nothing to type. */
const longestRule = 200;
/** What would be a pattern, or not survive its way through a shell. */
const unfit = /['*?\n]/;

/** From the narrowest to the widest. */
function rulesFor({ tool, resources, roots }: Asked): readonly string[] {
  const [resource] = resources;
  if (resource === undefined || resources.length > 1) return [tool];
  const exact = [`${tool}(${inRoot(roots, resource)})`, `${tool}(${resource})`];
  return [...exact.filter((rule) => rule.length <= longestRule && !unfit.test(rule)), tool];
}

function inRoot(roots: readonly string[], resource: string): string {
  const root = roots.find((one) => resource.startsWith(`${one}/`));
  return root === undefined ? resource : resource.slice(root.length + 1);
}
