import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Bytes of the journal lines of each turn of the only session under a home, by turn from 0. */
export function bytesPerTurn(home: string): readonly number[] {
  const [file, ...others] = globSync(join(home, "sessions", "**", "journal.jsonl"));
  if (file === undefined || others.length > 0) throw new Error(`no single session under ${home}`);
  const turns: number[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.includes('"fact":{"type":"request.started"')) turns.push(0);
    const last = turns.length - 1;
    if (last >= 0 && line !== "") turns[last] = (turns[last] ?? 0) + Buffer.byteLength(line) + 1;
  }
  return turns;
}
