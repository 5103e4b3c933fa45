// Written by `npm run prompts` from edit.md; edit that.
export const text: string = `Replaces text in files: old_text, which must be at exactly one place, by new_text.
Use it for every change to part of a file. Not for new files or whole rewrites (write).
Input: path; old_text copied exactly from the file without line numbers, with enough lines around it to be unique; new_text (empty deletes). replace_all changes every occurrence. edits takes several edits instead, of one or more files, each matched against the file as it is now. patch takes a patch in the apply_patch form instead, which can also add, delete and move files. All of a call is applied or nothing.
Output: bytes written and lines changed. When old_text is missing or ambiguous nothing changes, and the error names the nearest lines or all places.
Side effects: each file is replaced in one step; all other bytes, line ends, encoding and mode stay. LF in old_text also matches CRLF, and new lines get the file's line end. Blanks at line ends, indentation, typographic quotes and dashes, special spaces and full-width punctuation in old_text may differ if one place fits; the output names what did.`;
