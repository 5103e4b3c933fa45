import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { PawlError } from "#core";

/**
 * Connections that are kept between requests, through the proxy the environment names (`HTTPS_PROXY`, `HTTP_PROXY`,
 * `NO_PROXY`, either case). Plain HTTP to this machine never takes the proxy: no proxy could reach it. Extra
 * authorities (`NODE_EXTRA_CA_CERTS`) are read by Node itself when it starts. Node before 22.21 knows no proxies.
 * @throws PawlError `invalid_proxy`
 */
export function connections(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
): HttpAgent {
  const isHttps = url.protocol === "https:";
  const proxyEnv = isHttps || !isThisMachine(url.hostname) ? env : {};
  const options = { keepAlive: true, proxyEnv };
  try {
    return isHttps ? new HttpsAgent(options) : new HttpAgent(options);
  } catch (cause) {
    throw new PawlError(
      "invalid_proxy",
      "HTTPS_PROXY or HTTP_PROXY holds no address of a proxy. Set it to one, as in http://127.0.0.1:3128, or unset it.",
      { cause },
    );
  }
}

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
