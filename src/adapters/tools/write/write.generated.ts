// Written by `npm run prompts` from write.md; edit that.
export const text: string = `Writes a whole file: makes it, with its parent folders, or replaces everything in it.
Use it for new files and for rewriting a file from start to end. To change part of a file use edit, which needs less text and cannot lose the rest; do not use it to append.
Input: path; content, complete and exactly as the file shall be, with no placeholder for text left out.
Output: the bytes and lines written. Nothing is written when the file has this content already. A file that exists must have been read: otherwise, and when somebody changed it since, it is not overwritten and the differences are shown. Changes of others that do not touch yours are merged, and shown.
Side effects: the file is replaced in one step, so it is never half written. Mode, byte order mark, encoding and CRLF line ends of an existing file are kept; a character its encoding lacks is refused.`;
