import type { Verdict } from "./rule.ts";

/** Why a call was judged so, as data: every face says it in its language, and `sentenceOf` in English. */
export type Because =
  | {
      readonly type: "rule";
      /** Source and rule as written: `user:bash(rm *)`. */
      readonly rule: string;
      readonly verdict: Verdict;
      readonly tool: string;
    }
  | { readonly type: "read_only_mode" | "edit_mode" | "bypass_mode" | "inside" | "granted" }
  | { readonly type: "outside" | "wall" | "git"; readonly path: string }
  /** No rule speaks of this call. */
  | {
      readonly type: "no_rule";
      readonly tool: string;
      /** Allow rules for the tool that cover other calls only. */
      readonly others: readonly string[];
      /** `plain_words`: patterns cover no command like this one, whatever they say. */
      readonly limit: "plain_words" | null;
    }
  /** It would be a question, and nobody is there to answer. `allow`, `mode`: what would allow it; null = nothing of that kind. */
  | {
      readonly type: "nobody";
      readonly question: Because;
      readonly allow: string | null;
      readonly mode: "edit" | "bypass" | null;
    }
  | { readonly type: "answer"; readonly verdict: "allow" | "deny" };

/** The same as a sentence without its full stop: for the model, the journal and programs. */
export function sentenceOf(because: Because): string {
  switch (because.type) {
    case "rule":
      return `the rule ${because.rule} says ${because.verdict} for ${because.tool}`;
    case "read_only_mode":
      return "the session is read-only";
    case "edit_mode":
      return "edits inside the workspace are allowed";
    case "bypass_mode":
      return "the session asks no questions";
    case "inside":
      return "reading inside the workspace";
    case "granted":
      return "allowed for this session";
    case "outside":
      return `${because.path} is outside the workspace`;
    case "wall":
      return `${because.path} is outside the workspace; bypass turns questions off, not this wall (add the folder with --add-dir)`;
    case "git":
      return `git may run what stands in ${because.path}`;
    case "no_rule":
      return noRule(because);
    case "nobody":
      return `${sentenceOf(because.question)}; nobody is there to answer, so it is denied. ${wayOut(because)}`;
    case "answer":
      return `the user said ${because.verdict === "allow" ? "yes" : "no"}`;
    default:
      return because satisfies never;
  }
}

type Of<T extends Because["type"]> = Extract<Because, { readonly type: T }>;

function noRule({ tool, others, limit }: Of<"no_rule">): string {
  if (others.length === 0) return `${tool} needs permission`;
  const plain =
    limit === null ? "" : ", and a pattern covers no quotes, variables, pipes or redirections";
  return `${tool} needs permission for this: ${others.join(", ")} covers other calls only${plain}`;
}

function wayOut({ allow, mode }: Of<"nobody">): string {
  const ways = [
    ...(allow === null ? [] : [`--allow '${allow}'`]),
    ...(mode === null ? [] : [`--permission-mode ${mode}`]),
  ];
  return ways.length === 0
    ? "Only a person can allow it: run with --on-ask pause"
    : `Allow it with ${ways.join(" or ")}, or run with --on-ask pause`;
}
