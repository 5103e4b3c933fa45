import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

/**
 * Connections that are kept between requests, through the proxy the environment names (`HTTPS_PROXY`, `HTTP_PROXY`,
 * `NO_PROXY`, either case). Plain HTTP to this machine never takes the proxy: no proxy could reach it. Extra
 * authorities (`NODE_EXTRA_CA_CERTS`) are read by Node itself when it starts.
 */
export function connections(url: URL, env: NodeJS.ProcessEnv): HttpAgent {
  const isHttps = url.protocol === "https:";
  const proxyEnv = isHttps || !isThisMachine(url.hostname) ? env : {};
  const options = { keepAlive: true, proxyEnv };
  return isHttps ? new HttpsAgent(options) : new HttpAgent(options);
}

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
