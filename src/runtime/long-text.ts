import type { BlobRef, Hash } from "#core";

/** Strings longer than this (UTF-8 bytes) live in a blob; source: security page, section 6.1. */
const inlineBytes = 64 * 1024;

type PutBlob = (bytes: Uint8Array) => Promise<Hash>;
type GetBlob = (hash: Hash) => Promise<Uint8Array>;

/**
 * Moves long strings of a fact into blobs, synced before the fact that names them. A value that only looks like a
 * reference is stored as its JSON text and marked, so that reading gives back exactly what was written.
 */
export async function spill<T>(value: T, putBlob: PutBlob): Promise<T> {
  if (!needsSpill(value)) return value;
  return (await rewrite(value, async (found) => {
    const json = typeof found !== "string";
    const bytes = new TextEncoder().encode(json ? JSON.stringify(found) : found);
    const blob = await putBlob(bytes);
    return json ? { blob, bytes: bytes.length, json } : { blob, bytes: bytes.length };
  })) as T; // same shape: LongText and Json both admit the reference
}

/** Puts long strings back. Values without references keep their identity. */
export async function whole<T>(value: T, getBlob: GetBlob): Promise<T> {
  if (!hasReference(value)) return value;
  return (await restore(value, getBlob)) as T; // same shape, with strings where references stood
}

function isLong(text: string): boolean {
  if (text.length * 3 <= inlineBytes) return false;
  return text.length > inlineBytes || new TextEncoder().encode(text).length > inlineBytes;
}

interface Reference extends BlobRef {
  readonly json?: boolean;
}

function isReference(value: unknown): value is Reference {
  return (
    typeof value === "object" &&
    value !== null &&
    "blob" in value &&
    "bytes" in value &&
    typeof value.blob === "string" &&
    typeof value.bytes === "number" &&
    Object.keys(value).every((key) => key === "blob" || key === "bytes" || key === "json")
  );
}

const needsSpill = (value: unknown): boolean =>
  typeof value === "string" ? isLong(value) : isReference(value) || someChild(value, needsSpill);

const hasReference = (value: unknown): boolean =>
  isReference(value) || someChild(value, hasReference);

function someChild(value: unknown, test: (child: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (test(Reflect.get(value, key))) return true;
  return false;
}

async function rewrite(
  value: unknown,
  replace: (found: string | object) => Promise<unknown>,
): Promise<unknown> {
  if (typeof value === "string") return isLong(value) ? replace(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (isReference(value)) return replace(value);
  return eachChild(value, (child) => rewrite(child, replace));
}

async function restore(value: unknown, getBlob: GetBlob): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (!isReference(value)) return eachChild(value, (child) => restore(child, getBlob));
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await getBlob(value.blob));
  return value.json === true ? JSON.parse(text) : text;
}

async function eachChild(
  value: object,
  map: (child: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(map));
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, child]) => [key, await map(child)] as const),
  );
  return Object.fromEntries(entries);
}
