import { test } from "node:test";
import { fakeClock } from "../fake-clock.ts";
import type { MakeModel } from "./law.ts";
import { replyLaws } from "./replies.ts";
import { troubleLaws } from "./troubles.ts";

export type { Inability, MakeModel, ModelUnderTest } from "./law.ts";

/**
 * Registers one test of `node:test` for each law of docs/boundaries/models.md that every model client keeps. Call it at
 * the top of a test file. `makeModel` gets the turns its server must answer with, in its own wire.
 */
export function modelConformance(name: string, makeModel: MakeModel): void {
  for (const law of [...replyLaws, ...troubleLaws]) {
    void test(`${name}: ${law.says}`, async () => {
      const under = await makeModel(law.turns, fakeClock());
      try {
        await law.check(under);
      } finally {
        await under.dispose?.();
      }
    });
  }
}
