import assert from "node:assert/strict";
import { test } from "node:test";

import { modelName } from "../../../src/ui/view/model-name.ts";

const names = [
  {
    title: "a provider's",
    ref: "anthropic/claude-sonnet-5-5",
    name: "anthropic/claude-sonnet-5-5",
  },
  { title: "a script of the folder", ref: "scripted//w/turns.json", name: "scripted/turns.json" },
  {
    title: "a script elsewhere",
    ref: "scripted//tmp/turns.json",
    name: "scripted /tmp/turns.json",
  },
  { title: "a script as it was given", ref: "scripted/turns.json", name: "scripted/turns.json" },
];

for (const { title, ref, name } of names) {
  test(`a model's name for people: ${title}`, () => assert.equal(modelName(ref, "/w"), name));
}
