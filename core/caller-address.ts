import ipaddr from 'ipaddr.js';
import { ValidationError } from './errors.ts';

/** Which addresses given by a caller may be used. Sandbox: loopback too, plain http too. Live: public ones over https. */
export interface AddressPolicy {
  allowLoopback: boolean;
  requireHttps: boolean;
}

/** What is routed at all today (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Endings of names that only a private network knows (RFC 6762, RFC 8375, and the one reserved for private use). */
const PRIVATE_NAME = /(^[^.]+|[.](local|internal|home[.]arpa))$/;

/**
 * Checks an address that a caller gives us, as far as its text tells: absolute, http or https, no credentials, and no
 * host that is plainly not public (product document 4.7, 4.11). A name is not resolved here; the outbound client checks
 * what it resolves to when it connects.
 * @throws ValidationError naming `field`
 */
export function checkCallerAddress(field: string, text: string, policy: AddressPolicy): void {
  const fault = addressFault(text, policy);
  if (fault) throw new ValidationError([{ field, message: fault }]);
}

function addressFault(text: string, policy: AddressPolicy): string | undefined {
  // URL would read a host into `https:///hook`.
  const url = /^https?:\/\/[^/\\?#]/i.test(text) ? URL.parse(text) : null;
  if (!url) return 'must be an absolute http or https address.';
  if (url.username || url.password) return 'must not carry credentials.';
  if (policy.requireHttps && url.protocol !== 'https:') return 'must use https.';
  const host = hostOf(url);
  return isAllowedHost(host, policy) ? undefined : `must be publicly reachable; ${host} is not.`;
}

function isAllowedHost(host: string, policy: AddressPolicy): boolean {
  if (ipaddr.isValid(host)) return isAllowedIp(host, policy);
  return isNamedLoopback(host) ? policy.allowLoopback : !PRIVATE_NAME.test(host);
}

/** Whether we may connect to this IP address. Anything but plain unicast (and loopback, where allowed) is refused. */
export function isAllowedIp(ip: string, policy: AddressPolicy): boolean {
  const address = ipaddr.process(ip);
  const range = address.range();
  if (range === 'loopback') return policy.allowLoopback;
  return range === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/** The host without the brackets of IPv6 and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isNamedLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
