import assert from "node:assert/strict";
import { test } from "node:test";
import { resultOfRun, type Message, type State } from "#core";
import { startSession } from "#runtime";
import { prompt, rig } from "../runtime/rig.ts";
import { Life, newWorld, openJournal, random, script, tools, type World } from "./world.ts";

const runs = Number(process.env["PAWL_SIM_RUNS"] ?? 400);
const seed = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000_000);

const turns = 5;

/** One process: it lives for some steps, or to the end of the run. */
async function live(world: World, scriptSeed: number, steps: number): Promise<State | null> {
  const life = new Life(steps);
  const made = await rig({
    turns: [script(world, scriptSeed, turns)(life)],
    tools: tools(world, life),
    journal: await openJournal(world, life),
  });
  const work = async (): Promise<State> => {
    const session = await startSession(made.parts);
    if (session.state.phase.at === "idle") await session.send(prompt("go"));
    const waiting = session.settled();
    let done = false;
    void waiting.finally(() => {
      done = true;
    });
    while (!done) await Promise.race([made.clock.advance(1000), life.over]);
    return (await waiting).state;
  };
  try {
    return await Promise.race([work(), life.over]);
  } catch (error) {
    if (error instanceof Error && error.message === "killed") return null;
    throw error;
  }
}

const conversation = (messages: readonly Message[]) =>
  messages.map(({ role, blocks }) => ({ role, blocks: blocks.map(withoutIds) }));

/** Ids count requests, and a resumed run needs more of them; everything else must be the same. */
function withoutIds(block: Message["blocks"][number]): unknown {
  return JSON.parse(JSON.stringify(block).replaceAll(/r\d+-(\d+)/g, "call-$1"));
}

test(`R74 R80 R22 ${runs} runs killed again and again say and do the same as one that was not (seed ${seed})`, async (t) => {
  const next = random(seed);
  let kills = 0;
  for (let count = 0; count < runs; count += 1) {
    const scriptSeed = Math.floor(next() * 1_000_000);
    const calm = await newWorld();
    const expected = await live(calm, scriptSeed, Number.POSITIVE_INFINITY);
    assert.ok(expected !== null);
    const rough = await newWorld();
    let state: State | null = null;
    for (let lives = 0; state === null; lives += 1) {
      // Short lives at first; each later one is a little longer, so that the run always ends.
      state = await live(rough, scriptSeed, 1 + Math.floor(next() * (15 + lives * 5)));
      kills += state === null ? 1 : 0;
    }
    const where = `seed ${seed}, run ${count}, script ${scriptSeed}`;
    assert.deepEqual(conversation(state.messages), conversation(expected.messages), where);
    assert.equal(resultOfRun(state).outcome, "completed", where);
    for (const [call, times] of rough.happened)
      assert.equal(times, 1, `${call} happened ${times} times, ${where}`);
    assert.equal(rough.happened.size, calm.happened.size, where);
  }
  t.diagnostic(`${runs} runs, ${kills} kills, seed ${seed}`);
  t.diagnostic(`figure: kills in ${runs} simulated runs; reached ${kills}; required ${runs}`);
  assert.ok(kills > runs, "the simulation killed too rarely to prove anything");
});
