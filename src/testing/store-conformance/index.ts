import { test } from "node:test";
import type { Store } from "#runtime";
import { blobLaws } from "./blobs.ts";
import type { Law } from "./law.ts";
import { journalLaws } from "./journal.ts";
import { sessionLaws } from "./sessions.ts";

/** What a store is tested with: a fresh, empty one for each law. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Called when the law has been tested. */
  readonly dispose?: () => Promise<void>;
}

/**
 * Registers one test of `node:test` for each law of docs/boundaries/journal.md that every store keeps. Call it at the top
 * of a test file.
 */
export function storeConformance(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  const laws: readonly Law[] = [...journalLaws, ...blobLaws, ...sessionLaws];
  for (const law of laws) {
    void test(`${name}: ${law.says}`, async () => {
      const { store, dispose } = await makeStore();
      try {
        await law.check(store);
      } finally {
        await dispose?.();
      }
    });
  }
}
