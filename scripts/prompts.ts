// Prompt texts live in Markdown beside the code that sends them. Plain Node cannot import
// Markdown and reading it at import time would be an effect, so each `NAME.md` under src/ gets a
// `NAME.generated.ts` that exports its text. `--check` fails when one is stale.

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./package-json.ts";

const check = process.argv.includes("--check");
const pages = globSync("src/**/*.md", { cwd: ROOT });

function complainOr(what: string, change: () => void): void {
  if (!check) return change();
  console.error(`${what}; run \`npm run prompts\``);
  process.exitCode = 1;
}

/** The module that exports a prompt; one trailing newline of the page is dropped. */
function moduleFor(page: string, text: string): string {
  const literal = text.replace(/\r?\n$/, "").replaceAll(/[`\\]|\$\{/g, (match) => `\\${match}`);
  return `// Written by \`npm run prompts\` from ${page}; edit that.\nexport const text: string = \`${literal}\`;\n`;
}

for (const page of pages) {
  const target = page.replace(/\.md$/, ".generated.ts");
  const name = page.slice(page.lastIndexOf("/") + 1);
  const now = moduleFor(name, readFileSync(join(ROOT, page), "utf8"));
  const path = join(ROOT, target);
  if (existsSync(path) && readFileSync(path, "utf8") === now) continue;
  complainOr(`${target} does not hold the text of ${page}`, () => writeFileSync(path, now));
}

for (const target of globSync("src/**/*.generated.ts", { cwd: ROOT })) {
  const path = join(ROOT, target);
  const isPrompt = readFileSync(path, "utf8").startsWith("// Written by `npm run prompts`");
  if (!isPrompt || pages.includes(target.replace(/\.generated\.ts$/, ".md"))) continue;
  complainOr(`${target} has no page any more`, () => rmSync(path));
}
