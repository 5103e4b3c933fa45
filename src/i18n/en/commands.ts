import { counted } from "./plural.ts";

/** What the sub-commands say. */
export const commandTexts = {
  sessions: {
    rmNeedsId: "rm needs the id of a session",
    unknownAction: (action: string): string =>
      `there is no action "${action}"; use list, rm or prune`,
    pruneNeedsDays: "prune takes a number of days, 30 when it is left out",
    pruned: (count: number, kilobytes: number): string =>
      `removed ${counted(count, "session")}, ${kilobytes} kB`,
    keptOpen: (id: string): string => `${id} is open somewhere and stays`,
    inUse: "in use",
    noPrompt: "(no prompt yet)",
    removed: (id: string): string => `removed ${id}`,
  },
  show: {
    needsId: "it needs one session: ID, ID@7 or ID@7..9",
    passedOver: (reason: string): string => `passed over, it cannot have happened: ${reason}`,
  },
  configCommand: {
    home: "PAWL_HOME",
    layers: {
      flag: "flag",
      environment: "environment",
      project: "project",
      user: "user",
      default: "default",
    },
  },
  modelsCommand: {
    unknown: "unknown",
    price: (input: number, output: number): string => `$${input} in, $${output} out`,
    note: "Window in tokens, price for a million tokens, as of the release. Yours: providers.NAME.models in config.jsonc. scripted/FILE plays a script.",
  },
  doctor: {
    checks: {
      node: "Node",
      home: "PAWL_HOME",
      git: "git",
      bash: "bash",
      rg: "ripgrep",
      sandbox: "sandbox",
      model: "model",
    },
    notWritable: (folder: string): string => `${folder} cannot be written`,
    noSandbox: "none in this version: commands run with your rights, after you said yes",
    noKeyNeeded: "no key needed",
    keyFrom: (source: string): string => `key from ${source}`,
    reached: (url: string): string => `${url} answers`,
    notReached: (url: string, why: string): string => `${url} does not answer: ${why}`,
  },
  init: {
    written: (file: string): string =>
      `Wrote ${file}. Fill in what an agent should know about this project.`,
    present: (file: string): string => `${file} is there already; nothing was changed.`,
    starter: `# Working on this project

What an agent (or a new colleague) should know before changing anything.

## Commands

- Install:
- Test:
- Check (types, lint, format):

## Rules

- Follow the style of the file you are in.
- Run the tests before you say it is done.

## Where things are

-
`,
  },
  error: {
    title: "pawl:",
    internal: (what: string): string =>
      `Something in Pawl itself failed: ${what}. Nothing recorded is lost; please report it with --verbose.`,
  },
};
