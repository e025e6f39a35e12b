import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { hasOneReading, type Network } from './address-ranges.ts';

/**
 * The address that a request came from. `X-Forwarded-For` is read from its right end, and only as far as trusted proxies wrote it:
 * what a caller forges stands further left.
 * @returns a canonical IP address; undefined when the connection is already gone
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: readonly Network[],
): string | undefined {
  // A link-local address also names the interface (`fe80::1%eth0`).
  let address = readIp(socket.remoteAddress?.split('%', 1)[0] ?? '');
  const forwarded = trustedProxies.length > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  while (address && forwarded.length > 0 && isIn(address, trustedProxies)) {
    const before = readIp(forwarded.pop()?.trim() ?? '');
    // Not an address: the proxy that passed it on is the last known hop.
    if (!before) break;
    address = before;
  }
  return address?.toString();
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

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
