import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { exitCodes } from "../exit-code.ts";
import type { Start } from "../starting-point.ts";

/** `pawl init`: a first `AGENTS.md`; one that is there stays as it is. */
export async function init({ terminal, cwd }: Start): Promise<number> {
  const file = join(cwd, "AGENTS.md");
  const { words } = terminal;
  const made = await writeFile(file, words.init.starter, { flag: "wx" }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
  await terminal.out.write(`${made ? words.init.written(file) : words.init.present(file)}\n`);
  return exitCodes.completed;
}
