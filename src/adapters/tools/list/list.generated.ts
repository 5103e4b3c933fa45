// Written by `npm run prompts` from list.md; edit that.
export const text: string = `Lists what is in a folder, each name once, folders with a slash at the end.
Use it to see how a project is laid out. To find files by name use glob, by content grep; to see a file use read.
Input: path, the folder (the workspace); depth, how many levels (1).
Output: paths below the folder, one a line, files with their size, links with their target. Ignored folders and .git are named but not entered below the first level. Notes in brackets say what was left out.
Side effects: none.`;
