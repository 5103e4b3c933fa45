import type { JsonObject } from "#core";
import { isJsonObject } from "../shared/json-read.ts";

/** What is wrong with a script, and where. */
export class ScriptProblem extends Error {}

/** Fields of one object of a script; each reader gives undefined for an absent field and throws for a wrong one. */
export interface Fields {
  /** @throws ScriptProblem for any other key: a misspelt one would silently do nothing */
  only(keys: readonly string[]): Fields;
  has(key: string): boolean;
  value(key: string): unknown;
  string(key: string): string | undefined;
  stringOrNull(key: string): string | null;
  count(key: string): number | undefined;
  object(key: string): JsonObject | undefined;
  list(key: string): readonly unknown[] | undefined;
}

/** @throws ScriptProblem */
export function fieldsOf(json: unknown, at: string): Fields {
  if (!isJsonObject(json)) throw new ScriptProblem(`${at || "it"} is not an object`);
  const object = json;
  const place = (key: string): string => (at === "" ? key : `${at}.${key}`);

  function read<T>(key: string, is: (value: unknown) => value is T, what: string): T | undefined {
    const value: unknown = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined || is(value)) return value;
    throw new ScriptProblem(`${place(key)} is not ${what}`);
  }

  const fields: Fields = {
    only(keys) {
      const other = Object.keys(object).find((key) => !keys.includes(key));
      if (other === undefined) return fields;
      throw new ScriptProblem(`${place(other)} is not known here (known: ${keys.join(", ")})`);
    },
    has: (key) => Object.hasOwn(object, key),
    value: (key) => (Object.hasOwn(object, key) ? object[key] : undefined),
    string: (key) => read(key, (value) => typeof value === "string", "a string"),
    stringOrNull: (key) =>
      read(key, (value) => value === null || typeof value === "string", "a string or null") ?? null,
    count: (key) => read(key, isCount, "a number from 0 on"),
    object: (key) => read(key, isJsonObject, "an object"),
    list: (key) => read(key, (value) => Array.isArray(value), "a list"),
  };
  return fields;
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
