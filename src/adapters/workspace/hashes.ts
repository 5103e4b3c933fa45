import { createHash } from "node:crypto";
import { hash, type Hash } from "#core";
import { isTrouble, troubleOf, type Trouble } from "./trouble.ts";
import { openRegular } from "./regular-file.ts";

export const hashOf = (bytes: Uint8Array): Hash =>
  hash(createHash("sha256").update(bytes).digest("hex"));

/** Hash of a regular file, read in pieces; null when there is no file. */
export async function hashOfFile(path: string): Promise<Hash | null | Trouble> {
  const file = await openRegular(path);
  if (isTrouble(file)) return file.code === "file_not_found" ? null : file;
  try {
    const sum = createHash("sha256");
    for await (const chunk of file.handle.createReadStream({ autoClose: false, start: 0 })) {
      sum.update(chunk);
    }
    return hash(sum.digest("hex"));
  } catch (error) {
    return troubleOf(error, path);
  } finally {
    await file.handle.close();
  }
}
