import type { ScriptedTurn } from "#testing";

/** One task that passes through every kind of call, and what can be seen of it in the world afterwards. */
export interface Scenario {
  /** Copied into the workspace first. */
  readonly folder?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly flags: readonly string[];
  readonly turns: readonly ScriptedTurn[];
}

/** Environment variable: seconds that slow commands take. */
export const pauseVariable = "PAWL_TEST_PAUSE";

/** Every command appends its name to this file: a command that ran twice is in it twice. */
export const effectsFile = "effects.log";

/** Says something before and after its effect, so that partial output can be told from none and from all. */
const command = (name: string, wait: string): string =>
  `echo ${name} begins; echo ${name} >> ${effectsFile}; ${wait}echo ${name} ends`;

const bash = (name: string, wait = "") =>
  ({ tool: "bash", input: { command: command(name, wait) } }) as const;

const read = (path: string) => ({ tool: "read", input: { path } }) as const;

/** As long as the killer needs, and no time where nobody kills: `openWorkplace` sets it. */
const pause = `sleep \${${pauseVariable}:-0}; `;

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
    { calls: [bash("slow", "sleep 0.15; echo slow goes on; sleep 0.15; ")] },
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
    { calls: [bash("one"), bash("two", pause), bash("three")] },
    { text: "Three commands were asked for." },
  ],
};

/** One command that takes a while. */
export const oneCommand: Scenario = {
  files: {},
  prompt: "Run one command.",
  flags: ["--permission-mode", "bypass"],
  turns: [{ calls: [bash("only", pause)] }, { text: "The command was asked for." }],
};

/** A reply whose first call is complete while the second never comes, the first time it is asked for. */
const stalled = (first: ReturnType<typeof bash> | ReturnType<typeof read>): Scenario => ({
  files: { "a.txt": "alpha\n" },
  prompt: "Make two calls.",
  flags: ["--permission-mode", "bypass"],
  turns: [
    { text: "Two calls.", calls: [first, bash("two")], fault: { type: "stall", call: 1 } },
    { text: "Both calls were made." },
  ],
});

export const stalledAfterCommand: Scenario = stalled(bash("one"));
export const stalledAfterRead: Scenario = stalled(read("a.txt"));

/** A turn each for a command, another one, and the end. */
export const threeTurns: Scenario = {
  files: {},
  prompt: "Take three turns.",
  flags: ["--permission-mode", "bypass"],
  turns: [{ calls: [bash("one")] }, { calls: [bash("two")] }, { text: "Turn three ends it." }],
};
