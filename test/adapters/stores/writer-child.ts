/**
 * A process that writes, to be killed: `<home> <id> <what> [count]`. Says on stdout what it was promised, one line each,
 * after the promise was kept. `append_and_hold` and `hold` keep the session until their
 * stdin ends.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { jsonlStore } from "../../../src/adapters/stores/jsonl/store.ts";
import { systemClock } from "../../../src/adapters/system/clock.ts";
import { sessionId, type Stamped } from "../../../src/core/index.ts";
import { crashPointFrom } from "../../../src/adapters/system/crash-point.ts";

const [home = "", id = "", what = "", count = "0"] = process.argv.slice(2);
const crash = crashPointFrom(process.env);
const store = jsonlStore({ home, clock: systemClock(), ...(crash && { crash }) });
const say = (line: string): void => void writeSync(1, `${line}\n`);
const note = (text: string): Stamped => ({
  at: Date.now(),
  fact: { type: "hook.ran", point: "child", call: null, note: text },
});

switch (what) {
  case "append":
  case "append_and_hold":
  case "append_blobs": {
    const journal = await store.open(sessionId(id), "writer");
    for (let number = 1; number <= Number(count); number += 1) {
      const bytes = Buffer.from(`blob ${number}, after entry ${journal.seq}`);
      const text = what === "append_blobs" ? await journal.putBlob(bytes) : "no blob";
      const entries = await journal.append([note(text), note(`second ${number}`)]);
      say(entries.map(({ seq }) => seq).join(" "));
    }
    if (what === "append_and_hold") await once(process.stdin.resume(), "end");
    await journal.close();
    break;
  }
  case "fork": {
    const journal = await store.fork(
      { id: sessionId(id), seq: Number(count) },
      { id: sessionId(`${id.slice(0, -1)}F`), cwd: home },
    );
    say(`forked ${journal.seq}`);
    await journal.close();
    break;
  }
  case "hold": {
    const journal = await store.open(sessionId(id), "writer");
    say("holding");
    await once(process.stdin.resume(), "end");
    await journal.close();
    break;
  }
  case "large": {
    // Each note is larger than the last; a small one fits where a large one did not.
    const journal = await store.open(sessionId(id), "writer");
    for (const bytes of [1_000, 20_000, 1_000, 60_000, 2_000]) {
      try {
        await journal.append([note("x".repeat(bytes))]);
        say(`${bytes} at ${journal.seq}`);
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
    }
    await journal.close();
    break;
  }
  default:
    throw new Error(`cannot ${what}`);
}
