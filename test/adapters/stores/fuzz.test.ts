import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPawlError } from "#core";
import { entriesOf, id, note, readBack, writeSession } from "./sessions-on-disk.ts";

/** One change to the bytes of a file. Places are fractions of its length. */
type Change =
  | { readonly type: "replace"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: "remove"; readonly at: number; readonly length: number }
  | { readonly type: "copy"; readonly at: number; readonly length: number; readonly to: number }
  | { readonly type: "cut"; readonly at: number };

const place = fc.double({ min: 0, max: 1, noNaN: true });
const length = fc.integer({ min: 1, max: 300 });
const bytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
  fc
    .constantFrom(
      "\n",
      "\n\n",
      "\r\n",
      "\0",
      '{"v":',
      '{"v":2,"seq":1,',
      ',"sum":"00000000"}\n',
      "[[[[",
    )
    .map((text) => new TextEncoder().encode(text)),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant("replace"), at: place, bytes }),
  fc.record({ type: fc.constant("insert"), at: place, bytes }),
  fc.record({ type: fc.constant("remove"), at: place, length }),
  fc.record({ type: fc.constant("copy"), at: place, length, to: place }),
  fc.record({ type: fc.constant("cut"), at: place }),
);

function apply(file: Buffer, one: Change): Buffer {
  const at = Math.round(one.at * file.length);
  const [before, after] = [file.subarray(0, at), file.subarray(at)];
  switch (one.type) {
    case "replace":
      return Buffer.concat([before, one.bytes, after.subarray(one.bytes.length)]);
    case "insert":
      return Buffer.concat([before, one.bytes, after]);
    case "remove":
      return Buffer.concat([before, after.subarray(one.length)]);
    case "copy": {
      const to = Math.round(one.to * file.length);
      return Buffer.concat([
        file.subarray(0, to),
        after.subarray(0, one.length),
        file.subarray(to),
      ]);
    }
    case "cut":
      return before;
    default:
      return one satisfies never;
  }
}

test("whatever happens to a journal, it is read without invention or refused, and written on", async () => {
  const notes = Array.from({ length: 12 }, (_, index) => `note ${index} ${"x".repeat(index * 9)}`);
  const session = await writeSession(notes);
  const written = session.entries.map((entry) => JSON.stringify(entry));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      session.damage(changes.reduce(apply, session.bytes));
      try {
        const journal = await session.store.open(id, "writer");
        const read = (await entriesOf(journal)).map((entry) => JSON.stringify(entry));
        assert.deepEqual(
          read,
          written.filter((line) => read.includes(line)),
        );
        await journal.append([note("after")]);
        await journal.close();
        const again = await readBack(session);
        assert.equal(again.notes.length, read.length + 1);
        assert.equal(again.notes.at(-1), "after");
      } catch (error) {
        assert.ok(isPawlError(error, "journal_unreadable"), String(error));
      }
    }),
    { numRuns: 250 },
  );
});
