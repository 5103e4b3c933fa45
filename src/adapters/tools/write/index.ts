import type { AnyTool, CrashPoint } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { isTrouble } from "../../workspace/index.ts";
import { pathField, textField, type InputOf } from "../fields.ts";
import { fileChange } from "../shared/file-change.ts";
import { planWrite } from "./plan-write.ts";
import { text as description } from "./write.generated.ts";

const fields = {
  path: pathField("File to write, absolute or relative to the workspace."),
  content: textField("The whole new content."),
};

/** `write`: makes a file or replaces all of it. */
export function writeTool(crash?: CrashPoint): AnyTool {
  return defineTool({
    name: "write",
    description,
    fields,
    recovery: "probe",
    ...fileChange<InputOf<typeof fields>>({
      name: "write",
      crash,
      paths: ({ path }) => [path],
      async changes(input, real, env) {
        const change = await planWrite(input, real(input.path), env);
        return isTrouble(change) ? change : [change];
      },
    }),
  });
}
