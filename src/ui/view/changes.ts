import { type Json, sameJson } from "#core";

/** One difference between two states. */
export type Change =
  | { readonly path: string; readonly from: Json; readonly to: Json }
  /** Items that a list has got at its end. */
  | { readonly path: string; readonly added: readonly Json[] };

/** Every place where two JSON values differ, in the order of keys; lists that only grew say what came. */
export function changesBetween(from: unknown, to: unknown, path = ""): readonly Change[] {
  if (from === to) return [];
  if (Array.isArray(from) && Array.isArray(to)) return listChanges(from, to, path);
  if (isObject(from) && isObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) =>
      changesBetween(from[key], to[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return sameJson(from, to) ? [] : [{ path, from: plain(from), to: plain(to) }];
}

function listChanges(
  from: readonly unknown[],
  to: readonly unknown[],
  path: string,
): readonly Change[] {
  const common = Math.min(from.length, to.length);
  const inside = from
    .slice(0, common)
    .flatMap((item, index) => changesBetween(item, to[index], `${path}[${index}]`));
  if (to.length >= from.length) {
    const added = to.slice(common).map(plain);
    return added.length === 0 ? inside : [...inside, { path, added }];
  }
  return [{ path, from: plain(from), to: plain(to) }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** States are JSON by law L2; what is absent shows as null. */
const plain = (value: unknown): Json => (value === undefined ? null : (value as Json));
