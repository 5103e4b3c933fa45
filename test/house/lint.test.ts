import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";

const BAD: Readonly<Record<string, readonly (readonly [code: string, rule: string])[]>> = {
  "src/core/bad.ts": [
    ["export const now = (): number => Date.now();", "no-restricted-globals"],
    ["export const chance = (): number => Math.random();", "no-restricted-properties"],
  ],
  "src/core/BadName.ts": [["export const one = 1;", "filename-case"]],
  "src/runtime/bad.ts": [
    ["export async function wait(): Promise<void> {}", ""],
    ["export function forget(): void { wait(); }", "no-floating-promises"],
    ["export function early(): number { if (wait()) return 1; return 0; }", "no-misused-promises"],
    ["export const loose = (x: any): unknown => x;", "no-explicit-any"],
    ["export const sure = (x: string | null): string => x!;", "no-non-null-assertion"],
    ["export const print = (): void => console.log(1);", "no-console"],
    ["export function quiet(): void { try { early(); } catch {} }", "no-empty"],
    ["export function said(): void { try { early(); } catch { /* It may fail. */ } }", ""],
    [
      `export function pick(x: 1 | 2): void { switch (x) { case 1: } }`,
      "switch-exhaustiveness-check",
    ],
    ["export const many = (a: 1, b: 1, c: 1, d: 1): number[] => [a, b, c, d];", "max-params"],
    ["export default 1;", "no-default-export"],
  ],
  "src/ui/good.ts": [["export const print = (): void => console.log(1);", ""]],
};

test("lint finds each thing the style guide bans, and only that", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-lint-"));
  for (const name of [".oxlintrc.json", "tsconfig.json", "tsconfig.base.json"]) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const [path, lines] of Object.entries(BAD)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), lines.map(([code]) => `${code}\n`).join(""));
  }

  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--format=unix", "src"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });

  const found = [...stdout.matchAll(/^(\S+?):(\d+):.*\((\S+)\)\]$/gm)].map(
    ([, path, line, rule]) => `${path}:${line} ${rule}`,
  );
  const expected = Object.entries(BAD).flatMap(([path, lines]) =>
    lines.flatMap(([, rule], index) => (rule === "" ? [] : [`${path}:${index + 1} ${rule}`])),
  );
  assert.deepEqual(found.toSorted(), expected.toSorted());
});
