/** `all`: overlapping places too, since each of them could be meant; `apart`: from left to right. */
export function occurrences(text: string, wanted: string, which: "all" | "apart"): number[] {
  const found: number[] = [];
  const step = which === "all" ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}
