import { decodeBody } from "./charset.ts";

/** What came, for the thread that reads it. */
export interface Raw {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** What links are relative to. */
  readonly url: string;
}

export interface ReadPage {
  /** `page`: HTML, now Markdown. */
  readonly kind: "page" | "text";
  readonly title: string;
  readonly text: string;
  readonly encoding: string;
  /** False: the rest of it could not be read. */
  readonly isWhole: boolean;
}

/** Bytes that came as a text to read; null when they are no text. */
export async function readPage({ body, contentType, url }: Raw): Promise<ReadPage | null> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isNoText(contentType)) return null;
  const decoded = await decodeBody(bytes, contentType);
  if (decoded === null) return null;
  const { encoding, text } = decoded;
  if (!isPage(contentType, text)) return { kind: "text", title: "", text, encoding, isWhole: true };
  const { toMarkdown } = await import("./to-markdown.ts");
  const { title, markdown, isWhole } = toMarkdown(text, url);
  return { kind: "page", title, text: markdown, encoding, isWhole };
}

const mediaType = (contentType: string): string =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase();

const isNoText = (contentType: string): boolean =>
  /^(?:image\/(?!svg\+xml)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|octet-stream|wasm|x-tar|vnd\.))/.test(
    mediaType(contentType).replace(/^application\/vnd\..*\+(?:json|xml)$/, "text/plain"),
  );

/** A server that names no type, or plain text where a page stands, is not believed. */
const isPage = (contentType: string, text: string): boolean =>
  ["text/html", "application/xhtml+xml"].includes(mediaType(contentType)) ||
  (mediaType(contentType) === "" &&
    /^\s*(?:<!--[^>]*-->\s*)?<(?:!doctype html|html)\b/i.test(text));
