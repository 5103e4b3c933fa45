import { appendFileSync } from "node:fs";
import type { CrashPoint } from "#runtime";

/**
 * Crash points steered from outside. `PAWL_CRASH_AT=name#n` kills the process hard when it passes the point `name` for the
 * n-th time (first when left out; `*` is every name); `PAWL_CRASH_LOG=file` writes the name of every point passed, one a line. Undefined
 * when neither is set, so that nobody pays for it.
 */
export function crashPointFrom(
  env: Readonly<Record<string, string | undefined>>,
): CrashPoint | undefined {
  const at = env["PAWL_CRASH_AT"] ?? "";
  const log = env["PAWL_CRASH_LOG"] ?? "";
  if (at === "" && log === "") return undefined;
  const [wanted = "", count = "1"] = at.split("#");
  let left = Number(count);
  return (name) => {
    if (log !== "") appendFileSync(log, `${name}\n`);
    if (wanted !== "*" && name !== wanted) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
}
