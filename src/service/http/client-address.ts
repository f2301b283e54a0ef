/**
 * Addresses of clients. `proxy-addr`, which Express uses for `req.ip`, takes whatever a proxy wrote for an address: `unknown`,
 * or an address with its port, which would be another client for each connection.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, type IPVersion } from 'node:net';

/** A set of addresses, from a list of addresses and networks such as `192.0.2.1`, `192.0.2.0/24` or `2001:db8::/32`. */
export function addressesIn(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/', 2);
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): IPVersion {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** An address as it is written in logs and counted: an IPv4 address that a socket shows as IPv6 is an IPv4 address. */
export function plainAddress(address: string): string {
  return /^::ffff:[\d.]+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address;
}

/** The name under which an address is counted; of IPv6 the first 64 bits, as whoever has one has that network. */
export function clientName(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::', 2);
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end takes the place of two groups.
  const missing = tail === undefined ? 0 : 8 - start.length - end.length - (address.includes('.') ? 1 : 0);
  const groups = [...start, ...Array.from({ length: missing }, () => '0'), ...end];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Headers that proxies and networks of them add; a client by itself sends none. */
const OF_PROXIES = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-scheme',
  'x-forwarded-prefix',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-original-host',
  'x-proxyuser-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'true-client-ip',
  'client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'fly-client-ip',
  'cdn-loop',
] as const;

/** Whether a proxy has passed a request on, whatever it says of the client. */
export function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return OF_PROXIES.some((name) => headers[name] !== undefined);
}

/** An address in `X-Forwarded-For`, which some proxies write with its port. */
const WITH_PORT = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::\d+)?$/i;

/**
 * The address that a chain of trusted proxies names as that of its client, or null: `X-Forwarded-For` is read from the
 * right, as each proxy appends the address that it was called from, and the first that is not a trusted proxy counts.
 * Anything before it is only a claim of that client.
 */
export function forwardedAddress(header: string | undefined, isTrusted: (address: string) => boolean): string | null {
  let found: string | null = null;
  for (const entry of (header ?? '').split(',').reverse()) {
    const [, ipv4, ipv6] = WITH_PORT.exec(entry.trim()) ?? [];
    const address = plainAddress(ipv4 ?? ipv6 ?? entry.trim());
    if (isIP(address) === 0) break;
    found = address;
    if (!isTrusted(address)) break;
  }
  return found;
}
