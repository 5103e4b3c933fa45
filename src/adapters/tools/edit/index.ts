import type { AnyTool, CrashPoint } from "#runtime";
import { pathProblem } from "../../workspace/index.ts";
import { defineTool } from "../define-tool.ts";
import { flagField, listField, optional, pathField, textField, type InputOf } from "../fields.ts";
import { fileChange } from "../shared/file-change.ts";
import { text as description } from "./edit.generated.ts";
import type { FileEdit } from "./plan-edits.ts";
import { planEdits } from "./plan-edits.ts";
import { parsePatch, type PatchStep } from "./parse-patch.ts";
import { pathsOf, planPatch } from "./plan-patch.ts";

const oldText = textField("Text to replace, exactly as in the file.");
const newText = textField("Text to put in its place.");
const replaceAll = optional(flagField("Replace every occurrence (false)."));

const fields = {
  path: optional(pathField("File to edit.")),
  oldText: optional(oldText),
  newText: optional(newText),
  replaceAll,
  edits: optional(
    listField("Several edits, instead of old_text and new_text.", {
      path: optional(pathField("Its file, if not path.")),
      oldText,
      newText,
      replaceAll,
    }),
  ),
  patch: optional(textField("Instead of all else: a patch from *** Begin Patch to *** End Patch.")),
};

const mostEdits = 1000;

type EditInput = InputOf<typeof fields>;

/** `edit`: replaces text in files. */
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
      paths: (input) =>
        input.patch === undefined
          ? editsOf(input).map(({ path }) => path)
          : pathsOf(stepsOf(input.patch)),
      changes: (input, real, env) =>
        input.patch === undefined
          ? planEdits(
              editsOf(input).map((edit) => ({ ...edit, path: real(edit.path) })),
              env,
            )
          : planPatch(stepsOf(input.patch), { env, real }),
    }),
  });
}

function check(input: EditInput): string | null {
  const { path, edits, patch } = input;
  const single = input.oldText !== undefined || input.newText !== undefined;
  if (patch !== undefined) {
    return single || edits !== undefined || path !== undefined
      ? "give either patch or the other parameters, not both"
      : patchProblem(patch);
  }
  if (edits !== undefined) {
    if (single) return "give either old_text and new_text or edits, not both";
    if (edits.length > mostEdits) return `\`edits\` has more than ${mostEdits} elements`;
    if (edits.length === 0) return "`edits` is empty; there is nothing to do";
    const isHomeless = path === undefined && edits.some((edit) => edit.path === undefined);
    return isHomeless ? "`path` is missing (here or in each of the edits)" : null;
  }
  if (path === undefined) return "`path` is missing";
  if (input.oldText === undefined) return "`old_text` is missing (or give `edits`)";
  return input.newText === undefined ? "`new_text` is missing (may be empty to delete)" : null;
}

function patchProblem(patch: string): string | null {
  const steps = parsePatch(patch);
  if (typeof steps === "string") return steps;
  const wrong = pathsOf(steps).find((path) => pathProblem(path) !== null);
  return wrong === undefined ? null : `a path of the patch ${pathProblem(wrong)}`;
}

/** `check` has read it without a problem. */
function stepsOf(patch: string): readonly PatchStep[] {
  const steps = parsePatch(patch);
  return typeof steps === "string" ? [] : steps;
}

function editsOf(input: EditInput): readonly FileEdit[] {
  const { path = "", oldText: old = "", newText: now = "" } = input;
  const list = input.edits ?? [{ path, oldText: old, newText: now, replaceAll: input.replaceAll }];
  return list.map((edit) => ({
    ...edit,
    path: edit.path ?? path,
    replaceAll: edit.replaceAll ?? false,
  }));
}
