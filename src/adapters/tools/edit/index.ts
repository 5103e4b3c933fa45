import type { AnyTool, CrashPoint } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { flagField, listField, optional, pathField, textField, type InputOf } from "../fields.ts";
import { fileChange } from "../shared/file-change.ts";
import { text as description } from "./edit.generated.ts";
import type { Edit } from "./find-edits.ts";
import { planEdit } from "./plan-edit.ts";

const oldText = textField("Text to replace, exactly as in the file.");
const newText = textField("Text to put in its place.");
const replaceAll = optional(flagField("Replace every occurrence (false)."));

const fields = {
  path: pathField("File to edit."),
  oldText: optional(oldText),
  newText: optional(newText),
  replaceAll,
  edits: optional(
    listField("Several edits of this file, instead of old_text and new_text.", {
      oldText,
      newText,
      replaceAll,
    }),
  ),
};

const mostEdits = 1000;

type EditInput = InputOf<typeof fields>;

/** `edit`: replaces text in a file. */
export function editTool(crash?: CrashPoint): AnyTool {
  return defineTool({
    name: "edit",
    description,
    fields,
    check,
    recovery: "probe",
    ...fileChange<EditInput>({
      name: "edit",
      crash,
      change: (input, path, where) => planEdit(editsOf(input), path, where),
    }),
  });
}

function check(input: EditInput): string | null {
  const single = input.oldText !== undefined || input.newText !== undefined;
  if (input.edits !== undefined) {
    if (single) return "give either old_text and new_text or edits, not both";
    if (input.edits.length > mostEdits) return `\`edits\` has more than ${mostEdits} elements`;
    return input.edits.length === 0 ? "`edits` is empty; there is nothing to do" : null;
  }
  if (input.oldText === undefined) return "`old_text` is missing (or give `edits`)";
  return input.newText === undefined ? "`new_text` is missing (may be empty to delete)" : null;
}

function editsOf(input: EditInput): readonly Edit[] {
  const list = input.edits ?? [
    {
      oldText: input.oldText ?? "",
      newText: input.newText ?? "",
      replaceAll: input.replaceAll,
    },
  ];
  return list.map((edit) => ({ ...edit, replaceAll: edit.replaceAll ?? false }));
}
