import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { codecFor, detectEncoding } from "../../workspace/index.ts";

/** Bytes of a page in which it may say what its encoding is. More than browsers look at (1024). */
const declaredWithin = 4096;
/** Bytes that are enough to tell an encoding nobody has named. */
const sampleBytes = 1 << 18;

export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/**
 * The text of an answer. In this order: byte order mark, `Content-Type`, what the page says of itself, and what the
 * bytes look like. A page that is called UTF-8 and is not is told by its bytes. Null: no text.
 */
export async function decodeBody(body: Buffer, contentType: string): Promise<Decoded | null> {
  const mark = markOf(body);
  const named = mark ?? decoderOf(charsetIn(contentType)) ?? decoderOf(declaredIn(body));
  const isWrong = mark === null && named?.encoding === "utf-8" && !isUtf8(whole(body));
  if (named !== null && !isWrong) return { text: named.decode(body), encoding: named.encoding };
  const found = await detectEncoding(body.subarray(0, sampleBytes));
  if (found === null) return null;
  const codec = await codecFor(found.encoding);
  return {
    text: codec.decode(body.subarray(found.bomBytes)).toWellFormed(),
    encoding: found.encoding,
  };
}

/** Without the bytes of a character that may have been cut off with the rest. */
const whole = (body: Buffer): Buffer => {
  const end = body.subarray(-3).findIndex((byte) => byte >= 0xc0);
  return end < 0 ? body : body.subarray(0, Math.max(body.length - 3, 0) + end);
};

function markOf(body: Buffer): TextDecoder | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return decoderOf("utf-8");
  if (body[0] === 0xff && body[1] === 0xfe) return decoderOf("utf-16le");
  return body[0] === 0xfe && body[1] === 0xff ? decoderOf("utf-16be") : null;
}

/** Null for a name that is none. */
function decoderOf(label: string | null): TextDecoder | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label);
  } catch {
    // An encoding nobody knows: the bytes tell.
    return null;
  }
}

const charsetIn = (contentType: string): string | null =>
  /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? null;

/** `<meta charset="gbk">`, `<meta http-equiv … content="text/html; charset=gbk">`, `<?xml … encoding="gbk"?>`. */
function declaredIn(body: Buffer): string | null {
  const head = body.subarray(0, declaredWithin).toString("latin1");
  const label =
    /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1] ??
    /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  // Whoever can read this far does not read UTF-16 (the HTML standard says the same).
  return label === undefined ? null : label.replace(/^utf-16(?:le|be)?$/i, "utf-8");
}
