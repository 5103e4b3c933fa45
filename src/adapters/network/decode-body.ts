import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";

/**
 * The stream that undoes a `Content-Encoding`; null for a plain body. A body that is cut short gives what it held: how
 * it ended is told by the connection, not by the compression. Compressed answers are not asked for (they delay a
 * stream), and some gateways send them all the same; an encoding that is not known is read as it is.
 */
export function decoderFor(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush });
    default:
      return null;
  }
}
