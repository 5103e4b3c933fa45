import type { AnyTool, CrashPoint } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { pathField, textField } from "../fields.ts";
import { fileChange } from "../shared/file-change.ts";
import { planWrite } from "./plan-write.ts";
import { text as description } from "./write.generated.ts";

/** `write`: makes a file or replaces all of it. */
export function writeTool(crash?: CrashPoint): AnyTool {
  return defineTool({
    name: "write",
    description,
    fields: {
      path: pathField("File to write, absolute or relative to the workspace."),
      content: textField("The whole new content."),
    },
    recovery: "probe",
    ...fileChange({ name: "write", crash, change: planWrite }),
  });
}
