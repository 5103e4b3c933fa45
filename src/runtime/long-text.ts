import { isPawlError, type BlobRef, type Hash } from "#core";

/** Strings longer than this (UTF-8 bytes) live in a blob; source: security page, section 6.1. */
const inlineBytes = 64 * 1024;

type PutBlob = (bytes: Uint8Array) => Promise<Hash>;
type GetBlob = (hash: Hash) => Promise<Uint8Array>;

/**
 * Moves long strings of a fact, and images of any size, into blobs, synced before the fact that names them. A value
 * that only looks like a reference is stored as its JSON text and marked, so that reading gives back exactly what was
 * written.
 */
export async function spill<T>(value: T, putBlob: PutBlob): Promise<T> {
  if (!needsSpill(value)) return value;
  return (await rewrite(value, async (bytes, mark) => {
    const blob = await putBlob(bytes);
    return { blob, bytes: bytes.length, ...mark };
  })) as T; // same shape: LongText and Json both admit the reference
}

/** Puts long strings back. Values without references keep their identity. */
export async function whole<T>(value: T, getBlob: GetBlob): Promise<T> {
  if (!hasReference(value)) return value;
  return (await restore(value, ({ blob }) => getBlob(blob))) as T; // same shape, with strings where references stood
}

/**
 * The same, with a note wherever a blob is missing or is not what it was: one lost blob must not make a session
 * unusable. An image becomes a text.
 */
export async function wholeOrNotes<T>(
  value: T,
  getBlob: GetBlob,
  onLost: (blob: Hash) => void = () => {},
): Promise<T> {
  if (!hasReference(value)) return value;
  return (await restore(value, noting(getBlob, onLost))) as T; // same shape; a text may stand for an image
}

/** What stands for a lost blob is no bytes of its own kind, so it is told apart by its type. */
function noting(getBlob: GetBlob, onLost: (blob: Hash) => void): ReadBlob {
  return async ({ blob, bytes }) => {
    try {
      return await getBlob(blob);
    } catch (error) {
      if (!isPawlError(error, "blob_missing")) throw error;
      onLost(blob);
      return `[content lost: ${bytes} bytes are missing or damaged on disk]`;
    }
  };
}

/** The bytes, or a note in their place. */
type ReadBlob = (reference: Reference) => Promise<Uint8Array | string>;

function isLong(text: string): boolean {
  if (text.length * 3 <= inlineBytes) return false;
  return text.length > inlineBytes || new TextEncoder().encode(text).length > inlineBytes;
}

interface Reference extends BlobRef {
  /** The blob is JSON of what only looked like a reference. */
  readonly json?: boolean;
  /** The blob is the bytes of an image, which stand as base64 where they are used. */
  readonly base64?: boolean;
}

function isReference(value: unknown): value is Reference {
  return (
    typeof value === "object" &&
    value !== null &&
    "blob" in value &&
    "bytes" in value &&
    typeof value.blob === "string" &&
    typeof value.bytes === "number" &&
    Object.keys(value).every((key) => ["blob", "bytes", "json", "base64"].includes(key))
  );
}

const needsSpill = (value: unknown): boolean =>
  typeof value === "string"
    ? isLong(value)
    : isReference(value) || imageBytes(value) !== null || someChild(value, needsSpill);

/** The bytes of an image whose base64 gives them back letter by letter; null for everything else. */
function imageBytes(value: unknown): Buffer | null {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  if (value.type !== "image" || !("mediaType" in value) || !("data" in value)) return null;
  if (typeof value.data !== "string") return null;
  const bytes = Buffer.from(value.data, "base64");
  return bytes.toString("base64") === value.data ? bytes : null;
}

const hasReference = (value: unknown): boolean =>
  isReference(value) || someChild(value, hasReference);

function someChild(value: unknown, test: (child: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (test(Reflect.get(value, key))) return true;
  return false;
}

type Keep = (bytes: Uint8Array, mark: Omit<Reference, keyof BlobRef>) => Promise<Reference>;

async function rewrite(value: unknown, keep: Keep): Promise<unknown> {
  if (typeof value === "string") {
    return isLong(value) ? keep(new TextEncoder().encode(value), {}) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (isReference(value)) {
    return keep(new TextEncoder().encode(JSON.stringify(value)), { json: true });
  }
  const image = imageBytes(value);
  if (image !== null) return { ...value, data: await keep(image, { base64: true }) };
  return eachChild(value, (child) => rewrite(child, keep));
}

async function restore(value: unknown, read: ReadBlob): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (isReference(value)) {
    const bytes = await read(value);
    if (typeof bytes === "string") return bytes;
    if (value.base64 === true) return Buffer.from(bytes).toString("base64");
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return value.json === true ? JSON.parse(text) : text;
  }
  if (!("data" in value) || !isReference(value.data) || value.data.base64 !== true) {
    return eachChild(value, (child) => restore(child, read));
  }
  const bytes = await read(value.data);
  return typeof bytes === "string"
    ? { type: "text", text: bytes }
    : { ...value, data: Buffer.from(bytes).toString("base64") };
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
