import type { Json, JsonObject } from "#core";
import { pathProblem } from "../workspace/index.ts";

/** Why a value was not accepted, as the second half of a sentence that begins with the parameter's name. */
export interface Rejected {
  readonly rejected: string;
}

/** One parameter of a tool: its JSON Schema and how its value is read. */
export interface Field<Value> {
  /** Null: the model is not told of it. */
  readonly schema: (JsonObject & { readonly type: string }) | null;
  readonly required: boolean;
  /** Never gets null or an absent value unless the field is optional. */
  read(value: Json | undefined): Value | Rejected;
}

/** Parameters by their name in code (camelCase); on the wire they are snake_case. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

const rejected = (reason: string): Rejected => ({ rejected: reason });

const isRejected = (value: unknown): value is Rejected =>
  typeof value === "object" && value !== null && "rejected" in value;

const got = (value: Json | undefined): string => {
  const written = JSON.stringify(value) ?? "nothing";
  return `got ${written.length > 60 ? `${written.slice(0, 60).toWellFormed()}…` : written}`;
};

/** Any text, the empty one too. Lone surrogates are refused: no file could hold them. */
export function textField(description: string): Field<string> {
  return {
    schema: { type: "string", description },
    required: true,
    read(value) {
      if (typeof value !== "string") return rejected(`must be a string, ${got(value)}`);
      if (value.isWellFormed()) return value;
      const line = value.slice(0, loneSurrogate(value)).split("\n").length;
      return rejected(
        `holds half of a surrogate pair in line ${line}; write the whole character instead`,
      );
    },
  };
}

const loneSurrogate = (value: string): number =>
  value.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);

/** A path as written: not empty, no NUL, not over-long. Where it leads is found out when it is used. */
export function pathField(description: string): Field<string> {
  const text = textField(description);
  return {
    ...text,
    read(value) {
      const path = text.read(value);
      if (isRejected(path)) return path;
      const problem = pathProblem(path);
      return problem === null ? path : rejected(problem);
    },
  };
}

/** A whole number; a string of digits is accepted, because text protocols know only strings. */
export function integerField(
  description: string,
  range: { readonly least: number; readonly most: number },
): Field<number> {
  return {
    schema: { type: "integer", description },
    required: true,
    read(value) {
      const number =
        typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
      const { least, most } = range;
      const isRight = typeof number === "number" && Number.isSafeInteger(number) && number >= least;
      if (isRight && number <= most) return number;
      return rejected(`must be a whole number from ${least} to ${most}, ${got(value)}`);
    },
  };
}

/** true or false. */
export function flagField(description: string): Field<boolean> {
  return {
    schema: { type: "boolean", description },
    required: true,
    read(value) {
      if (value === "true") return true;
      if (value === "false") return false;
      return typeof value === "boolean" ? value : rejected(`must be true or false, ${got(value)}`);
    },
  };
}

/** One of some words. */
export function choiceField<const Choice extends string>(
  description: string,
  choices: readonly Choice[],
): Field<Choice> {
  return {
    schema: { type: "string", enum: choices, description },
    required: true,
    read: (value) =>
      choices.find((choice) => choice === value) ??
      rejected(`must be one of ${choices.join(", ")}, ${got(value)}`),
  };
}

/** A list of objects. */
export function listField<F extends Fields>(
  description: string,
  fields: F,
): Field<readonly InputOf<F>[]> {
  return {
    schema: { type: "array", items: objectSchema(fields), description },
    required: true,
    read(value) {
      const list = typeof value === "string" ? parsedList(value) : value;
      if (!Array.isArray(list)) return rejected(`must be a list of objects, ${got(value)}`);
      const items: InputOf<F>[] = [];
      for (const [index, element] of list.entries()) {
        const item = readFields(fields, element);
        if (typeof item === "string") return rejected(`has a wrong element ${index}: ${item}`);
        items.push(item);
      }
      return items;
    },
  };
}

/** Text protocols give a list as its JSON. */
function parsedList(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    // No JSON: the caller says what a list must be.
    return written;
  }
}

/** May be left out or null. */
export function optional<Value>(field: Field<Value>): Field<Value | undefined> {
  return {
    schema: field.schema,
    required: false,
    read: (value) => (value === undefined || value === null ? undefined : field.read(value)),
  };
}

/** A parameter that a later version will have: absent, false and an empty list are accepted, all else is not. */
export function reservedField(reason: string): Field<undefined> {
  return {
    schema: null,
    required: false,
    read(value) {
      const isAbsent = value === undefined || value === null || value === false;
      const isEmpty = value === "false" || (Array.isArray(value) && value.length === 0);
      return isAbsent || isEmpty ? undefined : rejected(reason);
    },
  };
}

/** The JSON Schema of an object with these fields; the same fields always give the same bytes. */
export function objectSchema(fields: Fields): JsonObject & { readonly type: string } {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field.schema === null) continue;
    properties[snakeCase(name)] = field.schema;
    if (field.required) required.push(snakeCase(name));
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Reads an object; a string says everything that is wrong with it and what is right. */
export function readFields<F extends Fields>(fields: F, given: unknown): InputOf<F> | string {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return `must be an object with ${describe(fields)}`;
  }
  const values = new Map<string, Json | undefined>(Object.entries(given));
  const read: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const wire = snakeCase(name);
    const value = values.get(wire) ?? values.get(name);
    values.delete(wire);
    values.delete(name);
    if (field.required && (value === undefined || value === null)) {
      problems.push(`\`${wire}\` is missing`);
      continue;
    }
    const result = field.read(value);
    if (isRejected(result)) problems.push(`\`${wire}\` ${result.rejected}`);
    else read[name] = result;
  }
  for (const name of values.keys()) problems.push(`there is no parameter \`${name.slice(0, 60)}\``);
  if (problems.length > 0) return `${problems.join("; ")}. Parameters: ${describe(fields)}`;
  // Every field was read by its own reader just above.
  return read as InputOf<F>;
}

function describe(fields: Fields): string {
  const names = Object.entries(fields).flatMap(([name, { schema, required }]) =>
    schema === null ? [] : [`${snakeCase(name)} (${schema.type}${required ? "" : ", optional"})`],
  );
  return names.length === 0 ? "none" : names.join(", ");
}

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
