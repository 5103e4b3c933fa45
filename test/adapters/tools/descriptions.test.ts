import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInTools } from "#adapters/tools";

const tools = builtInTools();

/** What every description answers, and how one sees that it does. */
const questions: readonly (readonly [question: string, answer: RegExp])[] = [
  ["what it does, in the first sentence", /^[A-Z][a-z]+s [^\n]{20,200}[.:]/],
  ["when to use it", /\bUse it\b/],
  [
    "when not, or which other tool then",
    /\b(?:not|instead|use (?:edit|write|grep|glob|list|read|bash))\b/i,
  ],
  ["inputs", /^Input: /m],
  ["outputs", /\bOutput: /],
  ["side effects", /^Side effects: /m],
  ["relation to other tools", /\b(?:read|write|edit|glob|grep|list|bash)\b/],
];

test("R107 every description answers what, when, when not, inputs, outputs, side effects, relations", () => {
  const silent = tools.flatMap(({ name, description }) =>
    questions.filter(([, answer]) => !answer.test(description)).map(([what]) => `${name}: ${what}`),
  );
  assert.deepEqual(silent, []);
});

test("R107 descriptions are plain and short: no markdown, no shouting, every parameter described", () => {
  const problems = tools.flatMap(({ name, description, inputSchema }) => {
    const schema = JSON.stringify(inputSchema);
    return [
      ...(description.length > 1300 ? [`${name}: ${description.length} characters`] : []),
      ...(/^#|`|\*\*\w|\b(?:IMPORTANT|NEVER|ALWAYS|MUST)\b/m.test(description)
        ? [`${name}: shouts`]
        : []),
      ...(/\n\n|[ \t]$/m.test(description) ? [`${name}: blank`] : []),
      ...(schema.match(/"type":/g)?.length ===
      (schema.match(/"description":/g)?.length ?? 0) + depth(schema)
        ? []
        : [`${name}: a parameter without description`]),
    ];
  });
  assert.deepEqual(problems, []);
});

/** Objects have a type and need no description of their own. */
const depth = (schema: string): number => schema.match(/"type":"object"/g)?.length ?? 0;

test("all tool texts and schemas together stay under 4,000 tokens, at four characters each", () => {
  const characters = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  ).length;
  assert.ok(characters < 16_000, `${characters} characters`);
});

test("R108 the registry has the tools the product promises, each with a name and a class", () => {
  assert.deepEqual(
    tools.map(({ name, recovery }) => [name, recovery]),
    [
      ["read", "rerun"],
      ["write", "probe"],
      ["edit", "probe"],
      ["glob", "rerun"],
      ["grep", "rerun"],
      ["list", "rerun"],
      ["bash", "probe"],
      ["fetch", "rerun"],
      ["time", "rerun"],
    ],
  );
});

test("R104 the tool definitions are the same bytes every time", () => {
  assert.equal(JSON.stringify(builtInTools()), JSON.stringify(builtInTools()));
});
