import assert from "node:assert/strict";
import { test } from "node:test";

import { text, type Fact } from "#core";

import { after, asked, call, nth, prompted, ran, replied, sessionStarted, told } from "./facts.ts";

const used = { input: 90_000, output: 1000, cacheRead: 0, cacheWrite: 0 };
const talked = after(
  told(sessionStarted({ window: 200_000 }), prompted(1)),
  asked(1),
  replied(1, [call("read")], { reason: "tool_use", usage: used }),
  ...ran(nth(1, 0)),
  asked(2),
  replied(2, [text("done")], { usage: used }),
);

const to = (model: string, window: number): Fact => ({
  type: "agent.changed",
  agent: { model, window },
});

test("a model with a smaller window gets a summary first, one with a larger gets it all", () => {
  assert.equal(after(talked, to("small/model", 64_000), prompted(2)).phase.at, "compacting");
  assert.equal(after(talked, to("large/model", 1_000_000), prompted(2)).phase.at, "thinking");
  const back = after(talked, to("small/model", 64_000), to("anthropic/test", 200_000), prompted(2));
  assert.equal(back.phase.at, "thinking");
});

test("a change of the model keeps how hard it is to think", () => {
  const told2 = after(talked, { type: "agent.changed", agent: { thinking: "high" } });
  assert.equal(after(told2, to("other/model", 1000)).agent.thinking, "high");
});
