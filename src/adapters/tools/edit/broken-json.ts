/** Characters; larger files are not parsed for this. */
const mostCharacters = 4 << 20;

/** What to say when an edit made a file that was JSON one that is none; null when it did not. */
export function brokenJson(path: string, before: string, after: () => string): string | null {
  if (!/\.(?:json|ipynb)$/.test(path) || before.length > mostCharacters) return null;
  if (problemOf(before) !== null) return null;
  const problem = problemOf(after());
  return problem === null
    ? null
    : `it was valid JSON and is not any more: ${problem.slice(0, 150)}`;
}

function problemOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.toWellFormed() : "it cannot be parsed";
  }
}
