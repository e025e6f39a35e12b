import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Party } from '../party.ts';
import { hasOneReading, type Network } from './address-ranges.ts';

/**
 * The address that a request came from, for the log; `partyOfAddress` makes it a caller who is counted. `X-Forwarded-For` is read from its right end, and only as far as trusted proxies wrote it:
 * what a caller forges stands further left.
 * @returns a canonical IP address; undefined when the connection is already gone
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: readonly Network[],
): string | undefined {
  let address = readPeer(socket.remoteAddress ?? '');
  const forwarded = trustedProxies.length > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  while (address && forwarded.length > 0 && isIn(address, trustedProxies)) {
    const before = readIp(forwarded.pop()?.trim() ?? '');
    // Not an address: the proxy that passed it on is the last known hop.
    if (!before) break;
    address = before;
  }
  return address?.toString();
}

/** How many 16-bit parts of an IPv6 address name the network of one caller, who has all of its addresses: a /64. */
const NETWORK_PARTS = 4;

/** Schedulers remember paths, which unauthenticated callers choose. */
const MAX_PATH_LENGTH = 200;

/**
 * The caller is not known yet, and is their network: an IPv4 address, or the /64 of an IPv6 address. Whatever counts callers counts this party.
 * Callers of one network share, and those of one path within it.
 * @param address of a connection, or as `clientAddress` reads it
 */
export function partyOfAddress(address = 'unknown', path = ''): Party {
  const ip = readPeer(address);
  const network = ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, NETWORK_PARTS).join(':') : (ip?.toString() ?? address);
  return { name: `address ${network}`, person: path.slice(0, MAX_PATH_LENGTH) };
}

/** @param peer the remote address of a connection */
export function isProxy(peer: string, trustedProxies: readonly Network[]): boolean {
  const ip = trustedProxies.length > 0 ? readPeer(peer) : undefined;
  return ip !== undefined && isIn(ip, trustedProxies);
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A link-local address also names the interface (`fe80::1%eth0`). */
function readPeer(address: string): Ip | undefined {
  return readIp(address.split('%', 1)[0] ?? '');
}

/** Some proxies append the port, and write IPv6 in brackets. */
function readIp(text: string): Ip | undefined {
  const [, bracketed] = /^\[([0-9a-f:.]{2,45})\](?::\d{1,5})?$/i.exec(text) ?? [];
  const [, withPort] = /^([0-9.]{7,15}):\d{1,5}$/.exec(text) ?? [];
  const ip = bracketed ?? withPort ?? text;
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(ip) || (ipaddr.IPv6.isValid(ip) && hasOneReading(ip));
  return isPlain ? ipaddr.process(ip) : undefined;
}

function isIn(address: Ip, networks: readonly Network[]): boolean {
  return networks.some(([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix));
}
