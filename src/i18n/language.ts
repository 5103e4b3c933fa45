export type Language = "en" | "zh-CN";

export const languages: readonly Language[] = ["en", "zh-CN"];

/** The language as it is written in a flag, variable or file; null when it is none of ours. */
export function parseLanguage(written: string): Language | null {
  const lower = written.toLowerCase();
  return languages.find((language) => language.toLowerCase() === lower) ?? null;
}

/** From the locale variables, by the order POSIX gives them (Base Definitions, 8.2). */
export function languageOfLocale(
  environment: Readonly<Record<string, string | undefined>>,
): Language {
  const locale = environment["LC_ALL"] || environment["LC_MESSAGES"] || environment["LANG"] || "";
  return /^zh\b|^zh_/i.test(locale) ? "zh-CN" : "en";
}
