import type { AnyTool } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { flagField, optional, pathField, textField, type InputOf } from "../fields.ts";
import { cutPattern, longestPattern } from "../shared/cut-pattern.ts";
import { resourceOf } from "../shared/judged.ts";
import type { RipgrepPrograms } from "../shared/ripgrep.ts";
import { text as description } from "./glob.generated.ts";

const fields = {
  pattern: textField("Such as src/**/*.ts or **/package.json."),
  path: optional(pathField("Folder to start from (the workspace).")),
  includeIgnored: optional(flagField("Search ignored files too (false).")),
};

/** `glob`: finds files by name. */
export function globTool(programs: RipgrepPrograms): AnyTool {
  return defineTool({
    name: "glob",
    description,
    fields,
    check,
    recovery: "rerun",
    // A pattern may begin with `/` or `..`: what is judged is the folder it searches.
    need(input, env) {
      const folder = resourceOf(input.path ?? ".", env.cwd);
      return {
        access: "read",
        resources: [resourceOf(cutPattern(input.pattern, folder).base, env.cwd)],
      };
    },
    run: async (input, context) => {
      const { runGlob } = await import("./run-glob.ts");
      const folder = resourceOf(input.path ?? ".", context.cwd);
      const wanted = {
        pattern: input.pattern,
        ...cutPattern(input.pattern, folder),
        rules: input.includeIgnored === true ? "off" : "kept",
      } as const;
      return await runGlob(wanted, context, programs);
    },
  });
}

function check({ pattern }: InputOf<typeof fields>): string | null {
  if (pattern.trim() === "") return "`pattern` is empty; **/* matches every file";
  if (pattern.includes("\0")) return "`pattern` holds a NUL character, which no path can";
  if (pattern.length > longestPattern)
    return `\`pattern\` is longer than ${longestPattern} characters`;
  return null;
}
