import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import { shownUrl } from "#app";
import type { Start } from "../starting-point.ts";

/** What the environment says about the way to providers. */
export interface NetworkFinding {
  readonly check: "proxy" | "certificates";
  readonly state: "good" | "note" | "bad";
  readonly detail: string;
}

/** Looks at settings and files; connects to nothing. */
export function networkFindings(
  start: Start,
): readonly (NetworkFinding | Promise<NetworkFinding | readonly NetworkFinding[]>)[] {
  return [proxy(start), certificates(start)];
}

function proxy({ settings: { environment }, terminal }: Start): NetworkFinding {
  const { proxy: words } = terminal.words.doctor;
  const written = (name: string): string | null =>
    [name.toLowerCase(), name].map((one) => environment[one]?.trim()).find(Boolean) ?? null;
  const named = ["HTTPS_PROXY", "HTTP_PROXY"].flatMap((name) => {
    const value = written(name);
    return value === null ? [] : [{ name, value }];
  });
  if (named.length === 0) {
    return written("ALL_PROXY") === null
      ? { check: "proxy", state: "good", detail: words.none }
      : { check: "proxy", state: "bad", detail: words.onlyAll };
  }
  const wrong = named.find(({ value }) => !isHttpProxy(value));
  if (wrong !== undefined) {
    return { check: "proxy", state: "bad", detail: words.invalid(wrong.name) };
  }
  if (!knowsProxies(process.versions.node)) {
    return { check: "proxy", state: "bad", detail: words.nodeTooOld(process.version) };
  }
  const exceptions = written("NO_PROXY");
  const list = [
    ...named.map(({ name, value }) => `${name} ${shownUrl(withScheme(value))}`),
    ...(exceptions === null ? [] : [`NO_PROXY ${exceptions}`]),
  ];
  return { check: "proxy", state: "good", detail: words.used(list.join(", ")) };
}

const withScheme = (value: string): string => (value.includes("://") ? value : `http://${value}`);

const isHttpProxy = (value: string): boolean =>
  /^https?:\/\/./i.test(withScheme(value)) && URL.canParse(withScheme(value));

/** Source: "Built-in proxy support", Node documentation: added in v22.21.0, v24.5.0. */
function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** Node itself only writes a line that nobody reads when it cannot use the file. */
async function certificates({
  settings: { environment },
  terminal,
}: Start): Promise<readonly NetworkFinding[]> {
  const { certificates: words } = terminal.words.doctor;
  const check = "certificates";
  const findings: NetworkFinding[] = [];
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push({ check, state: "bad", detail: words.off });
  }
  const file = environment["NODE_EXTRA_CA_CERTS"];
  if (!file) return findings;
  const isGood = await readFile(file).then(holdsCertificate, () => false);
  return [
    ...findings,
    isGood
      ? { check, state: "good", detail: words.extra(file) }
      : { check, state: "bad", detail: words.unreadable(file) },
  ];
}

function holdsCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).subject !== undefined;
  } catch {
    // Not one.
    return false;
  }
}
