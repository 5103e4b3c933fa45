// Every package of package.json has a line in ADR 0008, and every line there names one of them.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readPackageJson, ROOT } from "./package-json.ts";

const PAGE = "docs/adr/0008-dependencies.md";
const { dependencies, devDependencies, optionalDependencies } = readPackageJson();

const used = new Set(
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(
    ([name, version]) => `${name} ${version}`,
  ),
);
const text = readFileSync(join(ROOT, PAGE), "utf8");
const explained = new Set(
  [...text.matchAll(/^\| `([^`]+)` ([^ |]+) \|/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  ),
);

const problems = [
  ...[...used].filter((one) => !explained.has(one)).map((one) => `${PAGE} has no line for ${one}`),
  ...[...explained].filter((one) => !used.has(one)).map((one) => `${one} is not in package.json`),
];
if (used.size === 0) problems.push("package.json names no package");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
