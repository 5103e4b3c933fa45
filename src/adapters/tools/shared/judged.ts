import type { Need } from "#runtime";
import {
  absolutePath,
  locate,
  isTrouble,
  pathProblem,
  trouble,
  type Trouble,
} from "../../workspace/index.ts";

/**
 * The resource of a file tool: the real path. Where that cannot be found (links in a circle), the path as it is
 * written: nothing can be done there, and the tool says why.
 */
export function resourceOf(written: string, cwd: string): string {
  const path = locate(written, cwd);
  if (!isTrouble(path)) return path;
  return pathProblem(written) === null ? absolutePath(written, cwd) : written;
}

/**
 * The real path to work on now, which must be among those that permission judged: a link that was moved since
 * then is an error (requirement R67).
 */
export function judgedPath(
  written: string,
  context: { readonly cwd: string; readonly judged: Need },
): string | Trouble {
  const path = locate(written, context.cwd);
  if (isTrouble(path) || context.judged.resources.includes(path)) return path;
  return trouble(
    "moved",
    `${written} leads to ${path} now, which is not what permission was given for; nothing was read or changed. ` +
      "Call again to have it judged anew.",
  );
}
