import assert from "node:assert/strict";
import { test } from "node:test";

import type { Json } from "#core";
import { answer, call, calls, memory, ok, prompt, rig, settle, tool } from "./rig.ts";

test("a document that a call leaves is there for later calls, also after a restart", async () => {
  const seen: (Json | undefined)[] = [];
  const keep = tool({
    name: "keep",
    access: "write",
    run: async () => ({ ...ok("kept"), docs: { plan: ["one", "two"] } }),
  });
  const look = tool({
    name: "look",
    run: async (_input, context) => {
      seen.push(context.doc("plan"), context.doc("toString"));
      return ok("looked");
    },
  });
  const journal = await memory();
  const turns = [
    calls([call("look")]),
    calls([call("keep"), call("look")]),
    answer("done"),
    calls([call("look")]),
    answer("done"),
  ];
  const made = await rig({ journal, turns, tools: [keep, look] });
  const first = await made.start();
  await first.send(prompt("go"));
  await settle(first, made.clock);
  const second = await made.start();
  await second.send(prompt("go on"));
  await settle(second, made.clock);
  const plan = ["one", "two"];
  assert.deepEqual(seen, [undefined, undefined, plan, undefined, plan, undefined]);
});
