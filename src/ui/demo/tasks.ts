import type { ScriptedTurn } from "#adapters/models/scripted";
import type { Words } from "#i18n";

/** One sample folder, what the agent is asked to do in it, and what the scripted model says. */
export interface Task {
  readonly name: keyof Words["demo"]["tasks"];
  readonly files: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
  readonly turns: readonly ScriptedTurn[];
}

type TaskTexts = Words["demo"]["tasks"];

const read = (path: string) => ({ tool: "read", input: { path } }) as const;
const bash = (command: string) => ({ tool: "bash", input: { command } }) as const;
const edit = (path: string, ...changes: readonly (readonly [from: string, to: string])[]) => ({
  tool: "edit",
  input: { path, edits: changes.map(([from, to]) => ({ old_text: from, new_text: to })) },
});

export const tasksIn = (texts: TaskTexts): readonly Task[] => [
  nameTask(texts.name),
  urlsTask(texts.urls),
  testTask(texts.test),
  crashTask(texts.crash),
];

const nameTask = ({ answer }: TaskTexts["name"]): Task => ({
  name: "name",
  files: {
    "package.json": `${JSON.stringify({ name: "harbour-lights", version: "2.3.0", private: true }, null, 2)}\n`,
    "README.md": "# Lights\n\nA small program. Its name is elsewhere.\n",
  },
  allow: [],
  turns: [{ calls: [read("package.json")] }, { text: answer }],
});

const urlsTask = ({ look, answer }: TaskTexts["urls"]): Task => ({
  name: "urls",
  files: {
    "config.py": 'BASE_URL = "https://api.example.com"\n',
    "tides.py": `import requests\n\n\ndef tide(day):\n    return requests.get("https://api.example.com/tides/" + day).json()\n`,
    "ships.py": `import requests\n\n\ndef ships():\n    return requests.get("https://api.example.com/ships").json()\n`,
    "notes.py": untouchedFile,
  },
  allow: ["edit"],
  turns: [
    {
      text: look,
      calls: [{ tool: "grep", input: { pattern: "^import requests", glob: "*.py" } }],
    },
    { calls: [read("config.py"), read("tides.py"), read("ships.py")] },
    { calls: [edit("tides.py", importConfig, useBase), edit("ships.py", importConfig, useBase)] },
    { text: answer },
  ],
});

export const untouchedFile = "# See https://api.example.com for the documentation.\nNOTES = []\n";

const importConfig = [
  "import requests\n",
  "import requests\n\nfrom config import BASE_URL\n",
] as const;
const useBase = ['requests.get("https://api.example.com', 'requests.get(BASE_URL + "'] as const;

const testTask = ({ answer }: TaskTexts["test"]): Task => ({
  name: "test",
  files: {
    "pager.mjs": `/** The items of a page; the first page is 1. */
export function page(items, number, size) {
  const start = number * size;
  return items.slice(start, start + size);
}
`,
    "pager.test.mjs": `import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./pager.mjs";

test("the first page holds the first items", () => {
  assert.deepEqual(page(["a", "b", "c"], 1, 2), ["a", "b"]);
});
test("the last page may be short", () => {
  assert.deepEqual(page(["a", "b", "c"], 2, 2), ["c"]);
});
`,
  },
  allow: ["edit", "bash(node --test)"],
  turns: [
    { calls: [bash("node --test")] },
    { calls: [read("pager.mjs"), read("pager.test.mjs")] },
    { calls: [edit("pager.mjs", ["= number * size", "= (number - 1) * size"])] },
    { calls: [bash("node --test")] },
    { text: answer },
  ],
});

/** Its effect comes first, so that a kill in the pause leaves an invoice that is sent and a command that has not ended. */
const sendScript = `# Sends one invoice. Sending the same one twice would be a mistake.
echo "invoice $1" >> sent.log
echo "invoice $1 is sent, waiting for the receipt"
sleep 1.5
echo "receipt for invoice $1 is here"
`;

const send = (number: number) => bash(`sh send.sh ${number}`);

const crashTask = ({ begin, look, rest, answer }: TaskTexts["crash"]): Task => ({
  name: "crash",
  files: { "send.sh": sendScript },
  allow: ["bash(sh send.sh *)"],
  turns: [
    { text: begin, calls: [send(1), send(2), send(3)] },
    { text: look, calls: [read("sent.log")] },
    { text: rest, calls: [send(3)] },
    { text: answer },
  ],
});
