// Written by `npm run prompts` from glob.md; edit that.
export const text: string = `Finds files by name pattern.
Use it when you know what a file is called or where such files are. To search inside files use grep; to see a folder use list.
Input: pattern, with * for any characters of a name, ** for any folders, ?, [abc], {a,b}; dotfiles match like others. A pattern without wildcards finds exactly that file, ignored or not. path: folder the pattern starts from (the workspace). include_ignored: look into what .gitignore excludes too.
Output: paths, one a line, sorted; at most 1000. Notes in brackets say what was skipped and whether there is more.
Side effects: none.`;
