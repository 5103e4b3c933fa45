import assert from "node:assert/strict";
import { test } from "node:test";

import { idsIn, testTitles } from "../../scripts/requirements/test-titles.ts";

test("titles come from test calls and title fields, not from other strings", () => {
  const text = `
    test("R1 first", () => { it(\`R2 of \${name} here\`, () => {}); });
    const table = [{ title: "R3 in a table", note: "R4" }];
    test.skip("R5 skipped", () => {}); other("R6");
  `;
  assert.deepEqual(testTitles("a.test.ts", text), ["R1 first", "R2 of … here", "R3 in a table"]);
});

test("a title names rows one by one, as a range, and cases in brackets", () => {
  const ids = idsIn("R43, R61–R63 and R7-8 hold [S07] [I01, I02], not HR5 nor R2D2");
  assert.deepEqual(ids, ["R43", "R61", "R62", "R63", "R7", "R8", "S07", "I01", "I02"]);
});
