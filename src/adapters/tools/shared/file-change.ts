import type { CrashPoint, Tool, ToolEnv } from "#runtime";
import { changedMeanwhile, isTrouble, type Trouble } from "../../workspace/index.ts";
import { carryOut, goOn } from "./carry-out.ts";
import { intentOf, isPlanned, probeChange, reportOf, type ChangeIntent } from "./change-intent.ts";
import { failed } from "./ends.ts";
import type { FileChange } from "./planned-file.ts";
import { judgedPath, resourceOf } from "./judged.ts";

interface ChangeTool<Input> {
  readonly name: string;
  readonly crash: CrashPoint | undefined;
  /** Paths as written of the files that may change. */
  paths(input: Input): readonly string[];
  /** Works out the changes; `real` gives the real path of each written one. */
  changes(
    input: Input,
    real: (written: string) => string,
    env: ToolEnv,
  ): Promise<readonly FileChange[] | Trouble>;
}

type ChangeParts<Input> = Required<
  Pick<Tool<Input, ChangeIntent>, "need" | "plan" | "run" | "probe">
>;

/** How every tool that writes files is judged, planned, run and probed. */
export function fileChange<Input>(tool: ChangeTool<Input>): ChangeParts<Input> {
  const crash: CrashPoint = (point) => tool.crash?.(`${tool.name}.${point}`);
  return {
    need: (input, env) => ({
      access: "write",
      resources: [...new Set(tool.paths(input).map((written) => resourceOf(written, env.cwd)))],
    }),
    async plan(input, env) {
      const real = (written: string): string => resourceOf(written, env.cwd);
      const changes = await tool.changes(input, real, env);
      return isTrouble(changes) ? { type: "refused" } : intentOf(changes);
    },
    async run(input, context) {
      const { intent } = context;
      const paths = new Map<string, string>();
      for (const written of tool.paths(input)) {
        const path = judgedPath(written, context);
        if (isTrouble(path)) return failed(path);
        paths.set(written, path);
      }
      const changes = await tool.changes(
        input,
        (written) => paths.get(written) ?? written,
        context,
      );
      if (intent.type === "change" && (isTrouble(changes) || !isPlanned(changes, intent.files))) {
        const end = await goOn(intent.files, { context, crash });
        if (end !== null) return end;
      }
      if (isTrouble(changes)) return failed(changes);
      if (intent.type === "refused" || !isPlanned(changes, intent.files)) {
        return failed(changedMeanwhile([...paths.keys()].join(", ")));
      }
      const { files } = intent;
      if (files.every(({ before, after }) => before === after)) return reportOf(files);
      return await carryOut(changes, files, { context, crash });
    },
    probe: probeChange,
  };
}
