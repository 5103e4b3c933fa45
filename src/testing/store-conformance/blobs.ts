import assert from "node:assert/strict";
import { hash as digest } from "node:crypto";
import { hash } from "#core";
import { cwd, failsWith, type Law, one, two } from "./law.ts";

export const blobLaws: readonly Law[] = [
  {
    says: "a blob is found by the SHA-256 of its bytes, also after reopening",
    async check(store) {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
      const journal = await store.create({ id: one, cwd });
      const [name, again, empty] = await Promise.all([
        journal.putBlob(bytes),
        journal.putBlob(Uint8Array.from(bytes)),
        journal.putBlob(new Uint8Array()),
      ]);
      assert.equal(name, digest("sha256", bytes, "hex"));
      assert.equal(again, name);
      await journal.close();
      const reader = await store.open(one, "reader");
      assert.deepEqual(Buffer.from(await reader.getBlob(name)), Buffer.from(bytes));
      assert.equal((await reader.getBlob(empty)).length, 0);
    },
  },
  {
    says: "what is done to the bytes afterwards changes no blob",
    async check(store) {
      const bytes = Buffer.from("before");
      const journal = await store.create({ id: one, cwd });
      const name = await journal.putBlob(bytes);
      bytes.write("after!");
      (await journal.getBlob(name)).fill(0);
      assert.equal(Buffer.from(await journal.getBlob(name)).toString(), "before");
    },
  },
  {
    says: "a blob that is not there is said to be missing, whatever its name",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const names = ["0".repeat(64), "", "..", "../journal.jsonl", "x".repeat(10_000)];
      for (const name of names) {
        await assert.rejects(journal.getBlob(hash(name)), failsWith("blob_missing"));
      }
    },
  },
  {
    says: "sessions do not see each other's blobs",
    async check(store) {
      const first = await store.create({ id: one, cwd });
      const second = await store.create({ id: two, cwd });
      const name = await first.putBlob(Buffer.from("mine"));
      await assert.rejects(second.getBlob(name), failsWith("blob_missing"));
    },
  },
];
