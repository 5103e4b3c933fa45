import type { Language } from "./language.ts";
import type { Words } from "./en/words.ts";

/** The catalogue of a language; only that one is loaded. */
export async function wordsFor(language: Language): Promise<Words> {
  return language === "zh-CN"
    ? (await import("./zh-cn/words.ts")).chinese
    : (await import("./en/words.ts")).english;
}
