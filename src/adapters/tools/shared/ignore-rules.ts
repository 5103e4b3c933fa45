import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ignore, { type Ignore } from "ignore";

// The rules that ripgrep follows too, for the built-in search and for counting what was skipped: `.ignore` files
// everywhere, `.gitignore` and `.git/info/exclude` inside a git work tree, deeper files before higher ones.

/** Answers for one folder of the walk; folders below get their own from it. */
export interface IgnoreRules {
  /** `name` is directly inside the folder. */
  isIgnored(name: string, kind: "folder" | "file"): boolean;
  /** The rules of a folder directly inside. */
  inside(name: string): IgnoreRules;
}

interface RuleFile {
  /** Folder it stands in, absolute. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Rule files in order of precedence, the strongest first. */
interface Layers {
  readonly plain: readonly RuleFile[];
  readonly git: readonly RuleFile[];
  readonly exclude: readonly RuleFile[];
}

/** Bytes; longer rule files are no rule files. */
const mostBytes = 256 << 10;
/** A rule with more wildcards in one name could take for ever to match. */
const mostWildcards = 3;

export const noRules: IgnoreRules = { isIgnored: () => false, inside: () => noRules };

/** The rules that hold in a folder (absolute path). */
export function ignoreRules(folder: string): IgnoreRules {
  const root = gitRoot(folder);
  let layers: Layers = { plain: [], git: [], exclude: [] };
  if (root !== null) {
    layers = {
      ...layers,
      exclude: ruleFile({ folder: root, name: ".git/info/exclude", isGit: true, asked: folder }),
    };
    const above = relative(root, folder).split("/").slice(0, -1);
    for (let count = 0; count <= above.length; count++) {
      const at = join(root, ...above.slice(0, count));
      if (at !== folder) layers = withFolder(layers, { folder: at, isGit: true, asked: folder });
    }
  }
  return rulesAt(folder, layers, root !== null);
}

function rulesAt(folder: string, above: Layers, isGit: boolean): IgnoreRules {
  const layers = withFolder(above, { folder, isGit, asked: null });
  return {
    isIgnored: (name, kind) => judge(layers, join(folder, name), kind),
    inside: (name) => rulesAt(join(folder, name), layers, isGit),
  };
}

/** `asked`: the folder that the walk begins in, when the rules stand above it. */
function withFolder(layers: Layers, at: Omit<RulePlace, "name">): Layers {
  const plain = ruleFile({ ...at, name: ".ignore" });
  const git = at.isGit ? ruleFile({ ...at, name: ".gitignore" }) : [];
  return { ...layers, plain: [...plain, ...layers.plain], git: [...git, ...layers.git] };
}

function judge(layers: Layers, path: string, kind: "folder" | "file"): boolean {
  for (const layer of [layers.plain, layers.git, layers.exclude]) {
    for (const { folder, rules } of layer) {
      const inside = path.slice(folder.length + (folder === "/" ? 0 : 1));
      const { ignored, unignored } = rules.test(kind === "folder" ? `${inside}/` : inside);
      if (ignored) return true;
      if (unignored) return false;
    }
  }
  return false;
}

interface RulePlace {
  readonly folder: string;
  readonly name: string;
  readonly isGit: boolean;
  /** Who asks to look into this folder means it, whatever rule names the folder itself. */
  readonly asked: string | null;
}

function ruleFile({ folder, name, asked }: RulePlace): readonly RuleFile[] {
  try {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || stats.size > mostBytes) return [];
    const inside = asked === null ? "" : `${relative(folder, asked)}/`;
    const lines = readFileSync(path, "utf8")
      .split(/\r?\n/)
      .filter((rule) => isHarmless(rule) && (asked === null || !hides(rule, inside)));
    return [{ folder, rules: ignore({ ignoreCase: false }).add(lines) }];
  } catch {
    // Rules that cannot be read hide nothing.
    return [];
  }
}

const hides = (rule: string, path: string): boolean =>
  path !== "/" && ignore({ ignoreCase: false }).add(rule).ignores(path);

const isHarmless = (rule: string): boolean =>
  rule.length < 1000 &&
  rule.split("/").every((name) => name === "**" || name.split("*").length - 1 <= mostWildcards);

function gitRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}
