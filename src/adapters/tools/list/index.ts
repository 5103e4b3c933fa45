import type { AnyTool } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { integerField, optional, pathField } from "../fields.ts";
import { resourceOf } from "../shared/judged.ts";
import { text as description } from "./list.generated.ts";

/** `list`: names what is in a folder. */
export function listTool(): AnyTool {
  return defineTool({
    name: "list",
    description,
    fields: {
      path: optional(pathField("Folder to list (the workspace).")),
      depth: optional(integerField("Levels to show (1).", { least: 1, most: 100 })),
    },
    recovery: "rerun",
    need: (input, env) => ({
      access: "read",
      resources: [resourceOf(input.path ?? ".", env.cwd)],
    }),
    run: async (input, context) => {
      const { runList } = await import("./run-list.ts");
      return await runList({ path: input.path ?? ".", depth: input.depth ?? 1 }, context);
    },
  });
}
