/** Sorts paths as a walk meets them: folder by folder, names by their bytes, as ripgrep sorts. */
export function sortedByPath(paths: readonly string[]): readonly string[] {
  const keyed = paths.map((path) => ({ path, key: keyOf(path) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ path }) => path);
}

/** UTF-8 bytes as characters, so that comparing strings compares bytes; a slash comes before everything else. */
function keyOf(path: string): string {
  const bytes = /^[ -~]*$/.test(path) ? path : Buffer.from(path, "utf8").toString("latin1");
  return bytes.replaceAll("/", "\0");
}
