import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { PawlError } from "#core";

/**
 * Connections that are kept between requests, through the proxy the environment names (`HTTPS_PROXY`, `HTTP_PROXY`,
 * `NO_PROXY`, either case). Plain HTTP to this machine never takes the proxy: no proxy could reach it. Extra
 * authorities (`NODE_EXTRA_CA_CERTS`) are read by Node itself when it starts. Node before 22.21 knows no proxies
 * (`knowsProxies`), and passes over what it cannot use; that is said here, because a request must not go out by a way
 * its user has closed.
 * @throws PawlError `invalid_proxy`
 */
export function connections(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
): HttpAgent {
  const isHttps = url.protocol === "https:";
  const proxyEnv = isHttps || !isThisMachine(url.hostname) ? proxyIn(env, url.protocol) : {};
  const options = { keepAlive: true, proxyEnv };
  try {
    return isHttps ? new HttpsAgent(options) : new HttpAgent(options);
  } catch (cause) {
    throw invalidProxy("HTTPS_PROXY or HTTP_PROXY", cause);
  }
}

/**
 * The variables Node reads for requests of this kind, small letters first. An address without a scheme is that of plain
 * HTTP, as everywhere else.
 */
function proxyIn(
  env: Readonly<Record<string, string | undefined>>,
  protocol: string,
): Readonly<Record<string, string>> {
  const small = protocol === "https:" ? "https_proxy" : "http_proxy";
  const name = [small, small.toUpperCase()].find((one) => env[one]?.trim());
  if (name === undefined) return {};
  const written = (env[name] ?? "").trim();
  const address = written.includes("://") ? written : `http://${written}`;
  if (!/^https?:\/\/./i.test(address) || URL.parse(address) === null) throw invalidProxy(name);
  const exceptions = env["no_proxy"] || env["NO_PROXY"];
  return { [small]: address, ...(exceptions ? { no_proxy: exceptions } : {}) };
}

/** The address itself may hold a password: it is not repeated. */
const invalidProxy = (name: string, cause?: unknown): PawlError =>
  new PawlError(
    "invalid_proxy",
    `${name} holds no address of an HTTP proxy (SOCKS is not spoken). Set it to one, as in http://127.0.0.1:3128, or unset it.`,
    { cause, values: { name } },
  );

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
