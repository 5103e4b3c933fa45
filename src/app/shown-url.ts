/** An address as it may be shown: without a name, a password, or what a query holds. */
export const shownUrl = (url: string): string =>
  url.replace(/\/\/[^/?#@]*@/, "//…@").replace(/[?#].*$/s, "?…");
