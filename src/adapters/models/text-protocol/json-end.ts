/** Finds where a JSON value ends, piece by piece: looks at each character once. */
export function jsonEnd(): (piece: string) => number | null {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const sign = piece[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (sign === "\\") isEscaped = true;
        else if (sign === '"') isInString = false;
      } else if (sign === '"') isInString = true;
      else if (sign === "{" || sign === "[") depth += 1;
      else if (sign === "}" || sign === "]") {
        depth -= 1;
        if (depth <= 0) return at + 1;
      }
    }
    return null;
  };
}
