import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

let known: Promise<string | null> | null = null;

/** Another one after each start of the machine; null where it cannot be had. Asked once: no process outlives it. */
export function bootId(): Promise<string | null> {
  known ??= ask();
  return known;
}

async function ask(): Promise<string | null> {
  if (process.platform === "darwin") return sysctl("kern.bootsessionuuid");
  try {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
  } catch {
    // Not Linux, or /proc is not there.
    return null;
  }
}

function sysctl(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile("sysctl", ["-n", name], (error, stdout) => resolve(error ? null : stdout.trim()));
  });
}
