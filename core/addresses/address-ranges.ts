import ipaddr from 'ipaddr.js';

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and the length of its prefix. */
export type Network = [Ip, number];

/** The non-public IP addresses that connections may use. */
export interface OpenNetworks {
  allowLoopback: boolean;
  /** Networks allowed by the operator (`OUTBOUND_ALLOW`). */
  allow?: readonly Network[];
}

/**
 * - `private`: allowed by any network that contains it.
 * - `named-only`: allowed only by its exact address. Metadata services hand out the machine's credentials, so allowing a network
 *   must not include them.
 * - `translated`: an IPv4 address behind a NAT64 gateway, which must be allowed too.
 * - `never`: not a unicast address, or a form that hides another address.
 */
type Kind = 'public' | 'private' | 'named-only' | 'translated' | 'never';

/** The only range routed today (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64's well-known prefix (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Metadata services outside the link-local ranges, which are treated as metadata addresses altogether. */
const METADATA = new Set([
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure, in public address space
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS, credentials of pods
  'fd20:ce::254', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:42::42', // Scaleway
]);

const PRIVATE_RANGES = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** Whether we may connect to an IP address. An IPv4-mapped address counts as its IPv4 address. */
export function isAllowedIp(ip: string, open: OpenNetworks): boolean {
  if (!hasOneReading(ip)) return false;
  const address = ipaddr.process(ip);
  switch (kindOf(address)) {
    case 'public':
      return true;
    case 'private':
      return (open.allowLoopback && address.range() === 'loopback') || isOpened(address, open);
    case 'named-only':
      return isOpened(address, open, address.toByteArray().length * 8);
    case 'translated':
      return isOpened(address, open) && isAllowedIp(address.toByteArray().slice(-4).join('.'), open);
    case 'never':
      return false;
  }
}

/** Explains how an operator can allow a refused address, as the end of a sentence; empty when no setting can. */
export function howToAllow(ip: string): string {
  const kind = hasOneReading(ip) ? kindOf(ipaddr.process(ip)) : 'never';
  if (kind === 'never') return '';
  return kind === 'named-only' ? ' (operators allow it by its very address in OUTBOUND_ALLOW)' : HOW_TO_ALLOW;
}

export const HOW_TO_ALLOW = ' (operators allow it with OUTBOUND_ALLOW)';

/** ipaddr.js mistakes `::10.0.0.5` for a mapped address; a zone (`%eth0`) is meaningful on one machine only. */
export function hasOneReading(ip: string): boolean {
  return !/^::\d+\.|%/.test(ip);
}

function kindOf(address: Ip): Kind {
  const range = address.range();
  if (range === 'linkLocal' || METADATA.has(address.toString())) return 'named-only';
  if (address instanceof ipaddr.IPv6 && address.match(NAT64)) return 'translated';
  if (range === 'unicast') return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST) ? 'public' : 'never';
  return PRIVATE_RANGES.has(range) ? 'private' : 'never';
}

function isOpened(address: Ip, { allow = [] }: OpenNetworks, leastPrefix = 0): boolean {
  return allow.some(
    ([network, prefix]) => prefix >= leastPrefix && network.kind() === address.kind() && address.match(network, prefix),
  );
}
