import assert from "node:assert/strict";
import { test } from "node:test";
import { findSession, memoryStore } from "#adapters/stores";
import { isPawlError, sessionId } from "#core";
import type { Store } from "#runtime";
import { clock } from "./sessions-on-disk.ts";

const ids = ["01KB9X5C00AAAA", "01KB9X5C00AABB", "01KC", "01KC0", "abc", "ABC", "ABCD"];

async function storeWith(names: readonly string[]): Promise<Store> {
  const store = memoryStore({ clock });
  for (const name of names) {
    await (await store.create({ id: sessionId(name), cwd: "/" })).close();
  }
  return store;
}

const found: readonly (readonly [prefix: string, id: string])[] = [
  ["01KB9X5C00AAAA", "01KB9X5C00AAAA"],
  ["01KB9X5C00AAB", "01KB9X5C00AABB"],
  ["01kb9x5c00aab", "01KB9X5C00AABB"],
  ["  01KC0 ", "01KC0"],
  ["01KC", "01KC"],
  ["01kc", "01KC"],
  ["abc", "abc"],
  ["ABC", "ABC"],
  ["ABCd", "ABCD"],
];

for (const [prefix, id] of found) {
  test(`"${prefix}" means ${id}`, async () => {
    assert.equal((await findSession(await storeWith(ids), prefix)).id, id);
  });
}

for (const prefix of ["", " ", "02", "01KB9X5C00AAAAA", "../x", "*", "\0"]) {
  test(`${JSON.stringify(prefix)} means no session`, async () => {
    const store = await storeWith(ids);
    await assert.rejects(findSession(store, prefix), (error) =>
      isPawlError(error, "session_not_found"),
    );
  });
}

test("a beginning that several sessions share is refused with their names", async () => {
  const store = await storeWith(ids);
  for (const prefix of ["0", "01KB9X5C00A", "Abc"]) {
    await assert.rejects(findSession(store, prefix), (error) =>
      isPawlError(error, "session_ambiguous"),
    );
  }
  await assert.rejects(
    findSession(store, "01kb"),
    /2 sessions begin with "01kb": .*01KB9X5C00AAAA.*Give more of the id/,
  );
});
