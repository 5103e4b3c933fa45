import type { ScriptedTurn } from "#testing";

/** One task that passes through every kind of call, and what can be seen of it in the world afterwards. */
export interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly flags: readonly string[];
  readonly turns: readonly ScriptedTurn[];
}

/** Every command appends its name to this file: a command that ran twice is in it twice. */
export const effectsFile = "effects.log";

/** Says something before and after its effect, so that partial output can be told from none and from all. */
const command = (name: string, pause = ""): string =>
  `echo ${name} begins; echo ${name} >> ${effectsFile}; ${pause}echo ${name} ends`;

const bash = (name: string, pause?: string) =>
  ({ tool: "bash", input: { command: command(name, pause) } }) as const;

const read = (path: string) => ({ tool: "read", input: { path } }) as const;

/** How long the slow command takes, in seconds. */
const slow = 0.3;

export const scenario: Scenario = {
  files: {
    "src/one.txt": "alpha\nbeta\ngamma\n",
    "src/two.txt": "first\nsecond\nthird\nfourth\n",
    "src/three.txt": "unchanged\n",
  },
  prompt: "Go through the whole scenario.",
  flags: ["--permission-mode", "bypass", "--deny", "bash(curl *)"],
  turns: [
    {
      text: "I look at the files first.",
      calls: [
        read("src/one.txt"),
        read("src/two.txt"),
        read("src/three.txt"),
        { tool: "grep", input: { pattern: "beta" } },
      ],
    },
    {
      calls: [
        { tool: "write", input: { path: "plan.md", content: "# Plan\n\n1. change one.txt\n" } },
        read("plan.md"),
      ],
    },
    {
      calls: [
        {
          tool: "edit",
          input: { path: "src/one.txt", old_text: "beta\n", new_text: "BETA\nbeta two\n" },
        },
      ],
    },
    { text: "Three commands.", calls: [bash("one"), bash("two"), bash("three")] },
    {
      calls: [
        {
          tool: "edit",
          input: {
            path: "src/two.txt",
            edits: [
              { old_text: "first", new_text: "1st" },
              { old_text: "third", new_text: "3rd" },
            ],
          },
        },
      ],
    },
    {
      calls: [{ tool: "bash", input: { command: `curl http://127.0.0.1:1/ >> ${effectsFile}` } }],
    },
    { text: "A longer explanation of what was done. ".repeat(8), calls: [read("src/two.txt")] },
    { calls: [bash("slow", `sleep ${slow}; `)] },
    {
      calls: [
        { tool: "write", input: { path: "last.md", content: "Done: 你好 😀\n" } },
        bash("last"),
        read("last.md"),
      ],
    },
    { text: "Everything is done: one.txt and two.txt are changed, five commands ran." },
  ],
};

/** Three commands in one reply, the second of which takes a while. */
export const threeCommands: Scenario = {
  files: {},
  prompt: "Run three commands.",
  flags: ["--permission-mode", "bypass"],
  turns: [
    { calls: [bash("one"), bash("two", `sleep ${slow * 10}; `), bash("three")] },
    { text: "Three commands were asked for." },
  ],
};

/** One command that takes a while. */
export const oneCommand: Scenario = {
  files: {},
  prompt: "Run one command.",
  flags: ["--permission-mode", "bypass"],
  turns: [
    { calls: [bash("only", `sleep ${slow * 10}; `)] },
    { text: "The command was asked for." },
  ],
};
