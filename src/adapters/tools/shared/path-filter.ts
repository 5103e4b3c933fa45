import { plainMatcher, timedMatcher } from "./timed-match.ts";

/** Picks the paths (relative, with `/`) that match a pattern; null when the pattern takes too long. */
export type PathFilter = (paths: readonly string[]) => readonly string[] | null;

/** Dots are characters like others. Brackets and braces also mean themselves. */
export async function pathFilter(pattern: string): Promise<PathFilter> {
  const { default: picomatch } = await import("picomatch");
  const variants = new Set([
    pattern,
    pattern.replaceAll(/[[\]()]/g, String.raw`\$&`),
    pattern.replaceAll(/[[\](){}]/g, String.raw`\$&`),
  ]);
  const matchers = Array.from(variants, (variant) => {
    const { source, flags } = picomatch.makeRe(variant, { dot: true, nonegate: true });
    return isSimple(variant) ? plainMatcher(source, flags) : timedMatcher(source, flags);
  });
  return (paths) => {
    const hits = new Set<number>();
    for (const matcher of matchers) {
      const found = matcher(paths);
      if (found === null) return null;
      for (const index of found) hits.add(index);
    }
    return paths.filter((_, index) => hits.has(index));
  };
}

/** Few wildcards in a name cannot backtrack for long. */
const isSimple = (pattern: string): boolean =>
  !/[()+]/.test(pattern) &&
  pattern.split("**").length <= 4 &&
  pattern.split("/").every((name) => name === "**" || name.split("*").length <= 3);

/** What to say when a pattern takes too long. */
export const slowPattern: string =
  "The pattern takes too long to match; nothing was found. Use fewer wildcards in one name.";
