import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";
import { configKeys, modes } from "../../src/app/config/keys.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly string[];
}

const read = (name: string): Schema =>
  JSON.parse(readFileSync(join(ROOT, "schemas", name), "utf8")) as Schema;

/** Dotted names of what a schema knows, `*` for any name, as deep as the settings go. */
function keysOf(schema: Schema, depth: number): readonly string[] {
  const { properties = {}, additionalProperties: any } = schema;
  const named = typeof any === "object" ? { ...properties, "*": any } : properties;
  return Object.entries(named).flatMap(([name, inner]) => {
    const below = depth > 1 && name !== "$schema" ? keysOf(inner, depth - 1) : [];
    return below.length === 0 ? [name] : below.map((key) => `${name}.${key}`);
  });
}

test("the schema of the settings knows the keys the program knows, and no others", () => {
  const keys = keysOf(read("config.schema.json"), 3)
    .filter((key) => key !== "$schema")
    .map((key) => key.replace(/\.(headers|models)\.\*$/, ".$1"));
  assert.deepEqual(keys.toSorted(), configKeys.map(({ name }) => name).toSorted());
  const { permissions } = read("config.schema.json").properties ?? {};
  // `auto` needs a sandbox, which this version does not have.
  assert.deepEqual(
    permissions?.properties?.["mode"]?.enum,
    modes.filter((mode) => mode !== "auto"),
  );
});

test("the schema of the rules knows the three verdicts", () => {
  assert.deepEqual(keysOf(read("policy.schema.json"), 1), ["$schema", "allow", "ask", "deny"]);
});
