// Written by `npm run prompts` from grep.md; edit that.
export const text: string = `Searches inside files for a regular expression.
Use it to find where something is defined, used or written. To find files by name use glob; to see a whole file use read. It does not search the web or the history of git; use bash for that.
Input: pattern in ripgrep's syntax (escape . ( [ and the like for plain text); path: file or folder (the workspace); glob: only files that match, such as *.ts or src/**; mode: lines (default), files or count; context: lines around each match; ignore_case; limit: most matches (200); include_ignored: search what .gitignore excludes too.
Output: for lines, each file's path followed by number:text of its matches (number-text for context); sorted. Notes in brackets say what was skipped and whether there is more.
Side effects: none.`;
