import { parseRule, PawlError, type Rule, type RuleSource, type Verdict } from "#core";
import type { Words } from "#i18n";
import { closestName } from "./closest-name.ts";
import { invalidAt, type Located, readJsonc } from "./jsonc.ts";
import { placedRule } from "./rule-place.ts";

/** Tools a rule may name (contract, section 5); `mcp__server__tool` beside them. */
const toolNames =
  "read write edit glob grep list bash bash_output bash_stop fetch todo ask agent recall remember time".split(
    " ",
  );

const verdicts: readonly Verdict[] = ["allow", "ask", "deny"];

export interface GatheredRules {
  readonly rules: readonly Rule[];
  readonly notices: readonly string[];
}

/**
 * The rules of one `policy.jsonc`. A project may only tighten: its `allow` rules are left out and said.
 * @throws PawlError `config_invalid`: a rule that cannot be read is never skipped, it might be a deny
 */
export async function readPolicy(
  file: string,
  layer: "project" | "user",
  words: Words,
): Promise<GatheredRules> {
  const root = await readJsonc(file, words);
  const rules: Rule[] = [];
  const notices: string[] = [];
  for (const [key, located] of root?.members ?? []) {
    const verdict = verdicts.find((name) => name === key);
    if (key === "$schema") continue;
    if (!verdict) {
      throw invalidAt(
        located.place,
        words.config.wrong(key, words.config.expected.oneOf(verdicts)),
      );
    }
    const read = rulesOf(located, { verdict, source: layer, words });
    if (layer === "project" && verdict === "allow" && read.length > 0) {
      const { line } = located.place;
      notices.push(words.config.untrustedAllow(`${file}:${line}`, read.length));
    } else {
      rules.push(...read);
    }
  }
  return { rules, notices };
}

interface RuleKind {
  readonly verdict: Verdict;
  readonly source: RuleSource;
  readonly words: Words;
}

function rulesOf(located: Located, kind: RuleKind): Rule[] {
  const { verdict, words } = kind;
  const wrong = (at: Located): PawlError =>
    invalidAt(at.place, words.config.wrong(verdict, words.config.expected.rules));
  if (!located.items) throw wrong(located);
  return located.items.map((item) => {
    if (typeof item.value !== "string") throw wrong(item);
    const problem = ruleProblem(item.value, { words, ownTools: [] });
    const rule = parseRule(item.value, verdict, kind.source);
    if (problem !== null || !rule) throw invalidAt(item.place, problem ?? item.value);
    return placedRule(rule);
  });
}

export interface RuleTexts {
  readonly words: Words;
  /** Tools a program brings along, beside the built-in ones. */
  readonly ownTools: readonly string[];
}

/**
 * Rules given as flags.
 * @throws PawlError `usage`
 */
export function rulesFromFlags(
  written: readonly string[],
  verdict: Verdict,
  texts: RuleTexts,
): readonly Rule[] {
  return written.map((text) => {
    const problem = ruleProblem(text, texts);
    const rule = parseRule(text, verdict, "flag");
    if (problem !== null || !rule) throw new PawlError("usage", `--${verdict}: ${problem ?? text}`);
    return placedRule(rule);
  });
}

/** Why a rule cannot be used; null when it can. A rule for a tool nobody has would silently never match. */
function ruleProblem(written: string, { words, ownTools }: RuleTexts): string | null {
  const rule = parseRule(written, "ask", "flag");
  if (!rule) return words.config.ruleForm(written);
  const names = [...toolNames, ...ownTools];
  const known = rule.tool === "*" || rule.tool.startsWith("mcp__") || names.includes(rule.tool);
  return known
    ? null
    : words.config.ruleTool(written, rule.tool, closestName(rule.tool.toLowerCase(), names));
}
