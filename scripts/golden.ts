// Writes the golden journals of a release: npm exec -- node scripts/golden.ts 0.1.0
// Made once when a version is released and never again: every later version must fold them to the same states.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";

import { encodeLines, firstPrev } from "../src/adapters/stores/line.ts";
import { histories } from "../test/core/history.ts";
import { ROOT } from "./package-json.ts";

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error("Say the version, such as 0.1.0.");

const folder = join(ROOT, "test", "golden", version);
mkdirSync(folder, { recursive: true });
for (const [index, history] of fc.sample(histories, { numRuns: 40, seed: 20_261_130 }).entries()) {
  const name = String(index + 1).padStart(2, "0");
  const lines = encodeLines(history.facts, { seq: 0, prev: firstPrev });
  writeFileSync(join(folder, `${name}.jsonl`), lines.text);
  writeFileSync(join(folder, `${name}.state.json`), `${JSON.stringify(history.states.at(-1))}\n`);
}
