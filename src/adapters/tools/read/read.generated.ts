// Written by `npm run prompts` from read.md; edit that.
export const text: string = `Reads a text file, with line numbers, a notebook as its cells, or shows an image (PNG, JPEG, GIF, WebP).
Use it to see a file before you change it and whenever you know the path. To search in many files use grep; to find files use glob; for folders use list. It does not read pipes, devices, PDF or other binary files.
Input: path; offset, the first line wanted (1); limit, how many lines (2000). Large files are read in parts this way.
Output: one line each as number, tab, text. Notes in brackets at the end say what is not shown and how to get it, and what is unusual: encoding, CRLF, byte order mark, no newline at the end. They are not part of the file.
Side effects: none.`;
