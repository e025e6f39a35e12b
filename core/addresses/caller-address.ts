import ipaddr from 'ipaddr.js';
import { ValidationError } from '../errors.ts';
import { RULE_MESSAGES } from '../messages.ts';
import { sentence } from '../text.ts';
import { HOW_TO_ALLOW, howToAllow, isAllowedIp, type OpenNetworks } from './address-ranges.ts';
import { writtenFault } from './written-fault.ts';

/** Which caller-supplied addresses are allowed. The sandbox adds loopback and plain http to live's public https. */
export interface AddressPolicy extends OpenNetworks {
  requireHttps: boolean;
}

/** The addresses of `localhost`, regardless of DNS (RFC 6761, section 6.3). */
export const LOOPBACK_IPS = ['127.0.0.1', '::1'];

/** Suffixes of private names (RFC 6762 with its appendix G, RFC 8375, and `.internal`). */
const PRIVATE_NAME = /(^[^.]+|[.](local|localdomain|internal|intranet|private|corp|home|lan|home[.]arpa))$/;

/** Names that never lead to a public server (RFC 6761, section 6; RFC 7686; RFC 9476). A sandbox may use them for its own machine. */
const SPECIAL_NAME = /[.](test|invalid|onion|alt)$/;

/** Characters that parsers drop or replace, so that two parsers may see different hosts. */
const AMBIGUOUS = /[\s\\\p{Cc}]/u;

/**
 * The defence against SSRF: checks a caller-supplied address by its text: absolute, http or https, no credentials, and no host that is evidently not public
 * (product document 4.7, 4.11). Names are not resolved here; the outbound client checks the resolved addresses when it connects.
 * @throws ValidationError naming `field`
 */
export function checkCallerAddress(field: string, text: string, policy: AddressPolicy): void {
  const { fault } = readCallerAddress(text, policy);
  if (fault !== undefined) throw new ValidationError([{ field, message: fault }]);
}

/** The address, or its fault as the end of a sentence; `remedy` tells operators which setting would allow it. */
export function readCallerAddress(
  text: string,
  policy: AddressPolicy,
): { url: URL; fault?: undefined; remedy?: undefined } | { url?: undefined; fault: string; remedy?: string } {
  // URL would find a host in `https:///hook`.
  const url = /^https?:\/\/[^/?#]/i.test(text) && !AMBIGUOUS.test(text) ? URL.parse(text) : null;
  if (!url || url.port === '0') return { fault: sentence(writtenFault('uri', text) ?? RULE_MESSAGES.notHttp()) };
  if (url.username || url.password) return { fault: RULE_MESSAGES.credentials() };
  if (policy.requireHttps && url.protocol !== 'https:') return { fault: RULE_MESSAGES.notHttps() };
  const host = hostOf(url);
  if (isAllowedHost(host, policy)) return { url };
  const remedy = ipaddr.isValid(host) ? howToAllow(host) : HOW_TO_ALLOW;
  return { fault: RULE_MESSAGES.notPublic(host), remedy };
}

/** With networks allowed, a name may be private: its resolved address decides when connecting. */
function isAllowedHost(host: string, policy: AddressPolicy): boolean {
  if (ipaddr.isValid(host)) return isAllowedIp(host, policy);
  if (isNamedLoopback(host)) return LOOPBACK_IPS.some((ip) => isAllowedIp(ip, policy));
  if (policy.requireHttps && SPECIAL_NAME.test(host)) return false;
  return !PRIVATE_NAME.test(host) || (policy.allow ?? []).length > 0;
}

/** The host without the brackets of IPv6 and without trailing dots. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');
}

/** @param host as in a URL, in lower case */
export function isNamedLoopback(host: string): boolean {
  return /(^|[.])localhost[.]?$/.test(host);
}
