/** The port Ollama takes by itself. */
const ownPort = "11434";

/**
 * Where Ollama's own variable says its server is, as a base URL; null when it cannot be read. It is written as a host,
 * a port or both, with or without a scheme; an address to listen at everywhere is this machine to a client.
 * Source: `envconfig.Host` of Ollama, 2026-11.
 */
export function ollamaBaseUrl(written: string): string | null {
  const plain = written.trim().replace(/^["']|["']$/g, "");
  const hasScheme = /^https?:\/\//.test(plain);
  const rest = plain.startsWith(":") ? `127.0.0.1${plain}` : plain;
  const url = URL.parse(hasScheme ? plain : `http://${rest}`);
  if (url === null || plain === "") return null;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  if (url.port === "" && !hasScheme && !/:\d+$/.test(url.host + rest)) url.port = ownPort;
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
}
