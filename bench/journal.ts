// What the journal costs, beside a bare loop that writes and syncs the same bytes. Run: node bench/journal.ts
import {
  closeSync,
  fdatasync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { jsonlStore } from "#adapters/stores";
import { systemClock, systemEntropy } from "#adapters/system";
import { callId, requestId, type SessionId, type Stamped } from "#core";
import type { Journal } from "#runtime";

const lines = 10_000;
const sessions = 200;
const clock = systemClock();
const entropy = systemEntropy(clock);
const home = mkdtempSync(join(tmpdir(), "pawl-bench-"));
const store = jsonlStore({ home, clock });

/** About 500 bytes a line, as sessions have them. */
const fact = (): Stamped => ({
  at: clock.now(),
  fact: {
    type: "tool.finished",
    call: callId(requestId(1), 0),
    attempt: 1,
    outcome: "ok",
    content: [{ type: "text", text: "12: a line of some file\n".repeat(11) }],
    effects: [],
    docs: {},
    durationMs: 12,
  },
});

/** Prints the time of one piece of `work`, which holds `times` of the thing. */
async function bench(what: string, times: number, work: () => Promise<unknown>): Promise<void> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const columns = [performance.now() - wall, user / 1000, system / 1000].map((ms) =>
    (ms / times).toFixed(3).padStart(9),
  );
  console.log(`${what.padEnd(40)}${columns.join("")}`);
}

async function makeSession(): Promise<SessionId> {
  const id = entropy.sessionId();
  await (await store.create({ id, cwd: home })).close();
  return id;
}

async function append(journal: Journal, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await journal.append([fact()]);
}

async function appendBare(bytes: Buffer, count: number): Promise<void> {
  const file = openSync(join(home, "bare"), "a");
  const sync = promisify(fdatasync);
  for (let done = 0; done < count; done += 1) {
    writeSync(file, bytes);
    await sync(file);
  }
  closeSync(file);
}

async function readAll(id: SessionId): Promise<void> {
  const journal = await store.open(id, "writer");
  let entries = 0;
  for await (const { seq } of journal.read()) entries += seq > 0 ? 1 : 0;
  await journal.close();
  if (entries < lines) throw new Error(`read ${entries} entries`);
}

async function putBlobs(journal: Journal): Promise<void> {
  const blobs = Array.from({ length: 10 }, (_, index) => Buffer.alloc(2000, index));
  await Promise.all(blobs.map((bytes) => journal.putBlob(bytes)));
}

console.log(`${"milliseconds of each".padEnd(40)}${"wall".padStart(9)}     user   system`);
await bench("make the first session", 1, makeSession);
const id = await makeSession();
const journal = await store.open(id, "writer");
await append(journal, 500);
await bench("append after 500 lines", 1000, () => append(journal, 1000));
await append(journal, lines - 2500);
await bench("append after 9,000 lines", 1000, () => append(journal, 1000));
await bench("10 appends at once", 100, async () => {
  for (let done = 0; done < 100; done += 1) {
    await Promise.all(Array.from({ length: 10 }, () => journal.append([fact()])));
  }
});
const bytes = readFileSync(join(journal.folder ?? "", "journal.jsonl"));
const line = bytes.subarray(0, Math.round(bytes.length / journal.seq));
await bench(`bare write and sync of ${line.length} bytes`, 1000, () => appendBare(line, 1000));
await bench("keep a new blob, ten at once", 10, () => putBlobs(journal));
await bench("keep it again", 10, () => putBlobs(journal));
await journal.close();
for (const time of ["first", "second", "third"]) {
  await bench(`open and read ${(bytes.length / 1e6).toFixed(1)} MB, ${time} time`, 1, () =>
    readAll(id),
  );
}
await bench("fork at line 5,000", 1, async () => {
  await (await store.fork({ id, seq: 5000 }, { id: entropy.sessionId(), cwd: home })).close();
});
await bench("make a session", sessions, async () => {
  for (let done = 0; done < sessions; done += 1) await makeSession();
});
await bench("list a session", sessions, () => store.list());
rmSync(home, { recursive: true });
