import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { providers } from "#adapters/models";
import { ROOT } from "../../../scripts/package-json.ts";

test("the page of models names every provider with its key and its address", () => {
  const page = readFileSync(join(ROOT, "docs", "models.md"), "utf8");
  for (const { provider: name, keyVariables, baseUrl } of providers) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    const [variable = "none"] = keyVariables;
    assert.ok(row?.includes(variable) && row.includes(baseUrl ?? "none: "), `${name}: ${row}`);
  }
});
