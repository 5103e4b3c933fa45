export type Verdict = "allow" | "deny" | "ask";

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

const ruleForm = /^([A-Za-z_][\w-]*|\*)(?:\(([\s\S]*)\))?$/;

/** Reads `tool` or `tool(pattern)`; null when the text is neither. */
export function parseRule(written: string, verdict: Verdict, source: RuleSource): Rule | null {
  const match = ruleForm.exec(written.trim());
  const tool = match?.[1];
  const pattern = match?.[2]?.trim() ?? null;
  return tool === undefined || pattern === "" ? null : { verdict, tool, pattern, source };
}

export const writtenRule = (rule: Rule): string =>
  rule.pattern === null ? rule.tool : `${rule.tool}(${rule.pattern})`;
