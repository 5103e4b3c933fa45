// Written by `npm run prompts` from bash.md; edit that.
export const text: string = `Runs a command in bash and waits until the shell has ended.
Use it for builds, tests, git and whatever has no tool of its own. Not for reading, editing or finding files: read, edit, write, glob and grep are safer and say more.
Input: command, one line or a script, handed to bash as it is; timeout_ms, how long it may take (300000, at most 600000).
Output: what it printed, stdout and stderr together, then notes in brackets: the exit code unless it is 0, and what was cut. Over 30000 characters the middle is left out and the file that holds all of it is named.
Side effects: whatever the command does. It starts in the workspace folder each time, in a new shell: cd, variables and aliases do not last to the next call. Nobody can answer it: stdin is empty. When time is up or the user interrupts, it is ended with everything it started.`;
