import { PawlError } from "#core";
import { safeText } from "./secrets.ts";

/** A base URL with the path a request goes to; a query stays. @throws PawlError `invalid_base_url` */
export function endpoint(baseUrl: string, pathOf: (basePath: string) => string): URL {
  const url = URL.parse(baseUrl);
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:")) {
    url.pathname = pathOf(url.pathname.replace(/\/+$/, ""));
    return url;
  }
  throw new PawlError(
    "invalid_base_url",
    `"${safeText(baseUrl, [])}" is no base URL. It must start with https:// or http://, as in https://api.anthropic.com.`,
    { values: { url: safeText(baseUrl, []) } },
  );
}
