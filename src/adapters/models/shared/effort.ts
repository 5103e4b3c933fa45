import type { ThinkingLevel } from "#core";

type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** What a family of models takes at the two ends; low, medium and high are taken by all. */
interface Ends {
  readonly names: RegExp;
  readonly least: Effort;
  readonly most: Effort;
}

/** Source: "Reasoning models", OpenAI API documentation, 2026-11. The first that fits counts. */
const families: readonly Ends[] = [
  { names: /^gpt-5-pro/, least: "high", most: "high" },
  { names: /^gpt-5(?:-mini|-nano)?(?:-\d|$)/, least: "minimal", most: "high" },
  { names: /^gpt-5\.1-codex-max/, least: "low", most: "xhigh" },
  { names: /^gpt-5(?:\.1)?-codex/, least: "low", most: "high" },
  { names: /^gpt-5\.1/, least: "none", most: "high" },
  { names: /codex/, least: "low", most: "xhigh" },
  { names: /^gpt-(?:5\.[2-9]|[6-9])/, least: "none", most: "xhigh" },
  { names: /^o\d|gpt-oss/, least: "low", most: "high" },
];

/** Models nobody has listed, wherever they are served. */
const usual: Pick<Ends, "least" | "most"> = { least: "none", most: "high" };

/** A level in the words of OpenAI's field, none that the model refuses: the least it can do, or the most. */
export function effortOf(model: string, level: ThinkingLevel): Effort {
  const name = model.slice(model.lastIndexOf("/") + 1);
  const { least, most } = families.find(({ names }) => names.test(name)) ?? usual;
  if (least === most) return most;
  if (level === "off") return least;
  return level === "max" ? most : level;
}
