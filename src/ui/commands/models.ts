import { exitCodes } from "../exit-code.ts";
import type { Start } from "../starting-point.ts";

/** `pawl models`: the table of known models. */
export async function models({ terminal }: Start): Promise<number> {
  await terminal.out.write("");
  return exitCodes.completed;
}
