import type { AnyTool, CrashPoint } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { integerField, optional, reservedField, textField, type InputOf } from "../fields.ts";
import { text as description } from "./bash.generated.ts";
import { planRun, probeRun, runCommand, type RunIntent } from "./run-command.ts";

const defaultTimeoutMs = 300_000;
const mostTimeoutMs = 600_000;

const later = (instead: string): string => `is for a later version; ${instead}`;

const fields = {
  command: textField("Command to run."),
  timeoutMs: optional(
    integerField("Milliseconds it may take (300000).", { least: 1, most: mostTimeoutMs }),
  ),
  background: reservedField(later("run the command and wait for it, with a larger timeout_ms")),
  needs: reservedField(later("run the command without it")),
};

export interface BashOptions {
  /** Variables that commands get although their names look like secrets or steer the shell. */
  readonly keepVariables?: readonly string[];
  readonly crash?: CrashPoint | undefined;
}

/** `bash`: runs a command. */
export function bashTool({ keepVariables = [], crash }: BashOptions): AnyTool {
  return defineTool<typeof fields, RunIntent>({
    name: "bash",
    description,
    fields,
    check,
    recovery: "probe",
    timeoutMs: (input) => input.timeoutMs ?? defaultTimeoutMs,
    need: ({ command }) => ({ access: "exec", resources: [command] }),
    plan: (input, env) => planRun(input, env),
    run: ({ command }, context) => runCommand({ command, keepVariables, crash }, context),
    probe: (intent) => probeRun(intent),
  });
}

function check({ command }: InputOf<typeof fields>): string | null {
  if (command.trim() === "") return "`command` is empty";
  return command.includes("\0") ? "`command` holds a NUL character, which no command can" : null;
}
