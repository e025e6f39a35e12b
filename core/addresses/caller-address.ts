import ipaddr from 'ipaddr.js';
import { ValidationError } from '../errors.ts';
import { HOW_TO_ALLOW, howToAllow, isAllowedIp, type OpenNetworks } from './address-ranges.ts';

/** Which addresses given by a caller may be used. Sandbox: loopback too, plain http too. Live: public ones over https. */
export interface AddressPolicy extends OpenNetworks {
  requireHttps: boolean;
}

/** What `localhost` is, whatever a name server says (RFC 6761, section 6.3). */
export const LOOPBACK_IPS = ['127.0.0.1', '::1'];

/** Endings of names that only a private network knows (RFC 6762 with its appendix G, RFC 8375, and the one reserved for it). */
const PRIVATE_NAME = /(^[^.]+|[.](local|localdomain|internal|intranet|private|corp|home|lan|home[.]arpa))$/;

/** What parsers drop or take for another character, so that two of them may see two hosts. */
const AMBIGUOUS = /[\s\\\p{Cc}]/u;

/**
 * Checks an address that a caller gives us, as far as its text tells: absolute, http or https, no credentials, and no
 * host that is plainly not public (product document 4.7, 4.11). A name is not resolved here; the outbound client checks
 * what it resolves to when it connects.
 * @throws ValidationError naming `field`
 */
export function checkCallerAddress(field: string, text: string, policy: AddressPolicy): void {
  const { fault } = readCallerAddress(text, policy);
  if (fault !== undefined) throw new ValidationError([{ field, message: fault }]);
}

/** The address, or what is wrong with it, as the end of a sentence. */
export function readCallerAddress(
  text: string,
  policy: AddressPolicy,
): { url: URL; fault?: undefined } | { url?: undefined; fault: string } {
  // URL would read a host into `https:///hook`.
  const url = /^https?:\/\/[^/?#]/i.test(text) && !AMBIGUOUS.test(text) ? URL.parse(text) : null;
  if (!url || url.port === '0') return { fault: 'must be an absolute http or https address.' };
  if (url.username || url.password) return { fault: 'must not carry credentials.' };
  if (policy.requireHttps && url.protocol !== 'https:') return { fault: 'must use https.' };
  const host = hostOf(url);
  if (isAllowedHost(host, policy)) return { url };
  const how = ipaddr.isValid(host) ? howToAllow(host) : HOW_TO_ALLOW;
  return { fault: `must be publicly reachable; ${host} is not${how}.` };
}

/** With networks opened, a name may be private: what it leads to decides, when it is connected to. */
function isAllowedHost(host: string, policy: AddressPolicy): boolean {
  if (ipaddr.isValid(host)) return isAllowedIp(host, policy);
  if (isNamedLoopback(host)) return LOOPBACK_IPS.some((ip) => isAllowedIp(ip, policy));
  return !PRIVATE_NAME.test(host) || (policy.allow ?? []).length > 0;
}

/** The host without the brackets of IPv6 and without trailing dots. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** Takes a host as in a URL, in lower case. */
export function isNamedLoopback(host: string): boolean {
  return /(^|[.])localhost[.]?$/.test(host);
}
