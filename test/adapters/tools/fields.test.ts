import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#core";
import {
  choiceField,
  defineTool,
  flagField,
  integerField,
  listField,
  optional,
  pathField,
  textField,
} from "#adapters/tools";
import { open } from "./workbench.ts";

const tool = open(
  defineTool({
    name: "sample",
    description: "A sample.",
    fields: {
      path: pathField("Where."),
      oldText: textField("What."),
      mostHits: optional(integerField("How many.", { least: 1, most: 10 })),
      replaceAll: optional(flagField("All.")),
      mode: optional(choiceField("How.", ["files", "lines"])),
      edits: optional(listField("Several.", { oldText: textField("What.") })),
    },
    recovery: "rerun",
    need: () => ({ access: "read", resources: [] }),
    run: async () => ({ outcome: "ok", content: [], effects: [] }),
  }),
);

const right = { path: "a", oldText: "b" };
const nothing = {
  mostHits: undefined,
  replaceAll: undefined,
  mode: undefined,
  edits: undefined,
};

test("R104 the schema the model sees is made of the same fields, lean and in order", () => {
  assert.equal(
    JSON.stringify(tool.inputSchema),
    '{"type":"object","properties":{"path":{"type":"string","description":"Where."},' +
      '"old_text":{"type":"string","description":"What."},"most_hits":{"type":"integer","description":"How many."},' +
      '"replace_all":{"type":"boolean","description":"All."},' +
      '"mode":{"type":"string","enum":["files","lines"],"description":"How."},' +
      '"edits":{"type":"array","items":{"type":"object","properties":{"old_text":{"type":"string","description":"What."}},' +
      '"required":["old_text"],"additionalProperties":false},"description":"Several."}},' +
      '"required":["path","old_text"],"additionalProperties":false}',
  );
});

const accepted: readonly (readonly [given: JsonObject, read: JsonObject])[] = [
  [{ path: "a", old_text: "b" }, right],
  [{ path: "a", oldText: "b" }, right],
  [{ path: "a", old_text: "b", most_hits: null, mode: null }, right],
  [
    { path: "a", old_text: "", most_hits: 3 },
    { path: "a", oldText: "", mostHits: 3 },
  ],
  [
    { path: "a", old_text: "b", most_hits: "3" },
    { ...right, mostHits: 3 },
  ],
  [
    { path: "a", old_text: "b", replaceAll: "true" },
    { ...right, replaceAll: true },
  ],
  [
    { path: "a", old_text: "b", mode: "files" },
    { ...right, mode: "files" },
  ],
  [
    { path: "a", old_text: "b", edits: [{ oldText: "x" }] },
    { ...right, edits: [{ oldText: "x" }] },
  ],
  [
    { path: "a", old_text: "b", edits: '[{"old_text":"x"}]' },
    { ...right, edits: [{ oldText: "x" }] },
  ],
];

test("both spellings of a parameter are read, and texts for numbers, flags and lists", () => {
  assert.deepEqual(
    accepted.map(([given]) => tool.parse(given)),
    accepted.map(([, read]) => ({ ...nothing, ...read })),
  );
});

const refused: readonly (readonly [given: JsonObject, says: string])[] = [
  [{ old_text: "b" }, "`path` is missing"],
  [{ path: 3, old_text: "b" }, "`path` must be a string, got 3"],
  [{ path: "", old_text: "b" }, "`path` is empty"],
  [{ path: "a\0b", old_text: "b" }, "`path` holds a NUL character"],
  [{ path: "a", old_text: "x\ny\ud83d" }, "`old_text` holds half of a surrogate pair in line 2"],
  [
    { path: "a", old_text: "b", most_hits: 0 },
    "`most_hits` must be a whole number from 1 to 10, got 0",
  ],
  [{ path: "a", old_text: "b", most_hits: 1.5 }, "`most_hits` must be a whole number"],
  [
    { path: "a", old_text: "b", most_hits: "many" },
    '`most_hits` must be a whole number from 1 to 10, got "many"',
  ],
  [{ path: "a", old_text: "b", replace_all: 1 }, "`replace_all` must be true or false, got 1"],
  [{ path: "a", old_text: "b", mode: "all" }, '`mode` must be one of files, lines, got "all"'],
  [{ path: "a", old_text: "b", edits: "x" }, '`edits` must be a list of objects, got "x"'],
  [{ path: "a", old_text: "b", edits: [1] }, "`edits` has a wrong element 0: must be an object"],
  [{ path: "a", old_text: "b", file: "c" }, "there is no parameter `file`"],
  [{ path: "a", old_text: "b", __proto__x: 1 }, "there is no parameter `__proto__x`"],
];

test("R38 wrong arguments are answered with what is wrong and what is right", () => {
  const wrong = refused.filter(([given, says]) => {
    const answer = tool.parse(given);
    return !(
      typeof answer === "string" &&
      answer.includes(says) &&
      answer.includes("Parameters: path (string), old_text (string), most_hits (integer, optional)")
    );
  });
  assert.deepEqual(wrong, []);
});
