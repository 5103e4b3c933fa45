export { type Language, languageOfLocale, languages, parseLanguage } from "./language.ts";
export type { Words } from "./en/words.ts";
export { wordsFor } from "./catalogues.ts";
