// Checks the Markdown pages: links resolve, marked code compiles, both READMEs have the same
// headings. And no tracked file names a machine or a package registry.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { ROOT } from "./package-json.ts";

const PAGES = /^(README[^/]*|AGENTS|CHANGELOG)\.md$|^docs\/.*\.md$/;
const FEWEST_PAGES = 4;
/** Folders of somebody's machine, and hosts of package registries. */
const MACHINE_NAMES = /(?<![\w.*-])\/(work|farm)\/|\bregistry\.npm\w*\.\w+|\bnpmmirror\.com/;
/** Inside the package, so that the code can import `pawl` by name; git ignores it. */
const CODE_FOLDER = join(ROOT, ".cache", "docs");

const problems: string[] = [];
const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));
const pages = tracked.filter((path) => PAGES.test(path));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

function checkLinks(page: string): void {
  const text = read(page).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  for (const [, link = ""] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/i.test(link)) continue;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) problems.push(`${page}: ${link} is not there`);
    else if (anchor && target.endsWith(".md") && !anchorsOf(target).includes(anchor)) {
      problems.push(`${page}: ${target} has no heading #${anchor}`);
    }
  }
}

/** Headings as they appear in links: lower case, spaces as dashes, without punctuation. */
function anchorsOf(page: string): string[] {
  return headings(page).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function headings(page: string): string[] {
  const text = read(page).replaceAll(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => heading.trim());
}

/** Type-checks the blocks that open with ```ts check; they import `pawl` like a user would. */
function checkCode(): void {
  const blocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^```ts check\n([\s\S]*?)^```/gm)].map(([, code = ""], index) => ({
      page,
      code,
      file: `${page.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}-${index + 1}.ts`,
    })),
  );
  if (blocks.length === 0) return;
  rmSync(CODE_FOLDER, { recursive: true, force: true });
  mkdirSync(CODE_FOLDER, { recursive: true });
  for (const { file, code } of blocks) writeFileSync(join(CODE_FOLDER, file), code);
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: {
      types: ["node"],
      declaration: false,
      isolatedDeclarations: false,
      noUnusedLocals: false,
      moduleDetection: "force",
    },
    include: ["*.ts"],
  };
  writeFileSync(join(CODE_FOLDER, "tsconfig.json"), JSON.stringify(config));
  try {
    execFileSync("tsc", ["-p", CODE_FOLDER], { cwd: ROOT, encoding: "utf8" });
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    problems.push(`code in ${blocks.map(({ page }) => page).join(", ")}:\n${output}`);
  }
}

function checkMachineNames(): void {
  for (const path of tracked) {
    const name = MACHINE_NAMES.exec(read(path))?.[0];
    if (name) problems.push(`${path}: names ${name}`);
  }
}

if (pages.length < FEWEST_PAGES) problems.push(`saw only ${pages.length} pages`);
for (const page of pages) checkLinks(page);
const counts = ["README.md", "README.zh-CN.md"].map((page) => headings(page).length);
if (counts[0] !== counts[1]) problems.push(`the READMEs have ${counts.join(" and ")} headings`);
checkMachineNames();
checkCode();

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
