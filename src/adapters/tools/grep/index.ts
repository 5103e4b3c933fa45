import type { AnyTool } from "#runtime";
import { defineTool } from "../define-tool.ts";
import {
  choiceField,
  flagField,
  integerField,
  optional,
  pathField,
  textField,
  type InputOf,
} from "../fields.ts";
import { longestPattern } from "../shared/cut-pattern.ts";
import { resourceOf } from "../shared/judged.ts";
import type { RipgrepPrograms } from "../shared/ripgrep.ts";
import { text as description } from "./grep.generated.ts";

const fields = {
  pattern: textField("Regular expression."),
  path: optional(pathField("File or folder to search (the workspace).")),
  glob: optional(textField("Only files that match, such as *.ts or src/**.")),
  mode: optional(choiceField("What to show (lines).", ["lines", "files", "count"])),
  context: optional(integerField("Lines around each match (0).", { least: 0, most: 100 })),
  ignoreCase: optional(flagField("Ignore upper and lower case (false).")),
  limit: optional(integerField("Most matches to show (200).", { least: 1, most: 10_000 })),
  includeIgnored: optional(flagField("Search ignored files too (false).")),
};

/** `grep`: searches inside files. */
export function grepTool(programs: RipgrepPrograms): AnyTool {
  return defineTool({
    name: "grep",
    description,
    fields,
    check,
    recovery: "rerun",
    need: (input, env) => ({
      access: "read",
      resources: [resourceOf(input.path ?? ".", env.cwd)],
    }),
    run: async (input, context) => {
      const { runGrep } = await import("./run-grep.ts");
      return await runGrep(
        {
          pattern: input.pattern,
          path: input.path ?? ".",
          glob: input.glob ?? null,
          mode: input.mode ?? "lines",
          context: input.context ?? 0,
          ignoreCase: input.ignoreCase ?? false,
          limit: input.limit ?? 200,
          rules: input.includeIgnored === true ? "off" : "kept",
        },
        context,
        programs,
      );
    },
  });
}

function check({ pattern, glob }: InputOf<typeof fields>): string | null {
  if (pattern === "") return "`pattern` is empty";
  if (pattern.length > longestPattern || (glob?.length ?? 0) > longestPattern) {
    return `a pattern is longer than ${longestPattern} characters`;
  }
  const nul = [pattern, glob ?? ""].find((written) => written.includes("\0"));
  return nul === undefined ? null : "a pattern holds a NUL character; write \\x00 in `pattern`";
}
