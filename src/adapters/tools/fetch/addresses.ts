import type { LookupAddress } from "node:dns";
import { BlockList, isIP } from "node:net";

/** What is no address of a machine out on the net. Source: the special-purpose registries of IANA (RFC 6890). */
const special: readonly (readonly [net: string, bits: number, family: Family])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  // All of IPv6 but 2000::/3, the part that is given out, and in it what wraps IPv4 or is for examples.
  ["::", 3, "ipv6"],
  ["4000::", 2, "ipv6"],
  ["8000::", 1, "ipv6"],
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["3fff::", 20, "ipv6"],
];

type Family = "ipv4" | "ipv6";
const made = new Map<Family, BlockList>();

/** A list for each: one that holds both takes every IPv4 address for its IPv6 form. */
function refused(family: Family): BlockList {
  const known = made.get(family);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const [net, bits, of] of special) if (of === family) list.addSubnet(net, bits, of);
  made.set(family, list);
  return list;
}

/** Is this address loopback, private, link-local or otherwise not out on the net? What is no address is. */
export function isPrivate(address: string): boolean {
  const [plain = ""] = address.split("%");
  switch (isIP(plain)) {
    case 4:
      return refused("ipv4").check(plain, "ipv4");
    case 6: {
      const inside = embedded(plain);
      return inside === null ? refused("ipv6").check(plain, "ipv6") : isPrivate(inside);
    }
    default:
      return true;
  }
}

/** `::ffff:a.b.c.d` and, behind NAT64, `64:ff9b::a.b.c.d` reach an IPv4 address. */
function embedded(address: string): string | null {
  const short = new URL(`http://[${address}]`).hostname;
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return null;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join(".");
}

/** The first that must not be connected to. One is enough: a name that means both is a trick or a mistake. */
export const firstPrivate = (found: readonly LookupAddress[]): string | null =>
  found.find(({ address }) => isPrivate(address))?.address ?? null;

/** `[::1]` → `::1`, as names are given to the resolver. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/** The user named this host in the settings, with its port or without. */
export const isNamed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.some((host) => [url.host, url.hostname, bareHost(url)].includes(host.toLowerCase()));
