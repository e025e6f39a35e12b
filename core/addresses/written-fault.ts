import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { WRITTEN_FAULTS as FAULTS } from '../messages.ts';
import { faultAround, firstOf, isUnseen, nameOf } from './characters.ts';

/**
 * Finds what is wrong with an address that the contract's format or the rules for callers' addresses reject. It walks the address part
 * by part, from the outside to the inside: a part that has no fault of its own leaves the next part to be examined.
 * @returns the end of a sentence; undefined when the text is no such address at all
 */
export function writtenFault(format: unknown, value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  if (format === 'uri') return faultAround(value) ?? urlFault(value);
  if (format === 'email') return faultAround(value) ?? emailFault(value);
  return undefined;
}

function urlFault(text: string): string | undefined {
  if (/^https?[:/\\]/i.test(text) && text.includes('\\')) return FAULTS.instead('\\', '/');
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  return authority === undefined ? schemeFault(text) : (authorityFault(authority) ?? restFault(rest));
}

/** A host as people copy it: with a dot, or this machine's. */
const BARE_HOST = /^(?:\/\/)?(?:localhost|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)(?::\d+)?(?:[/?#]|$)/iu;

/** The letters of `https` in another number or order, and `hxxps`. */
const MISSPELT = /^[htpsx]{3,8}$/i;
const ODD = /[^a-z]/giu;

/** `https://`, and a few characters that do not belong there. */
const MAX_SCHEME_LENGTH = 12;

function schemeFault(text: string): string | undefined {
  const beginning = text.slice(0, MAX_SCHEME_LENGTH);
  const unseen = [...beginning].find(isUnseen);
  if (unseen !== undefined && /^https?:/i.test([...beginning].filter((character) => !isUnseen(character)).join('')))
    return FAULTS.unwanted(nameOf(unseen), 'in its scheme');
  // Fullwidth forms, such as of input methods for Chinese.
  if (/^https?:/i.test(beginning.normalize('NFKC'))) {
    const [wide = ''] = /[^\p{ASCII}]/u.exec(beginning) ?? [];
    if (wide !== '') return FAULTS.instead(wide, wide.normalize('NFKC'));
  }
  if (/^https?\/\//i.test(text)) return FAULTS.noColon();
  if (/^https?:/i.test(text)) return FAULTS.noSlashes();
  const [, name] = /^(.{2,12}?):\/\//.exec(text) ?? [];
  if (name !== undefined && MISSPELT.test(name.replaceAll(ODD, ''))) {
    const odd = firstOf(/[^a-z\d+.-]/iu, name);
    return odd === undefined ? FAULTS.otherScheme(name) : FAULTS.unwanted(nameOf(odd), 'in its scheme');
  }
  return name === undefined && BARE_HOST.test(text) ? FAULTS.noScheme() : undefined;
}

function authorityFault(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.includes('[') || host.includes(']')) return bracketsFault(host);
  if (ipaddr.IPv6.isValid(host)) return FAULTS.ipv6(host.replace(/%.*/, ''));
  const [, name = '', port] = /^([^:]*)(?::(.*))?$/s.exec(host) ?? [];
  if (name === '') return FAULTS.noHost();
  return nameFault(name) ?? (isPort(port) ? undefined : FAULTS.port());
}

function bracketsFault(host: string): string | undefined {
  const [, address = '', port] = /^\[([^\]]*)\](?::(.*))?$/s.exec(host) ?? [];
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return FAULTS.brackets();
  return isPort(port) ? undefined : FAULTS.port();
}

/** An empty port is the default port. */
function isPort(text = ''): boolean {
  return text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535);
}

const NOT_ASCII = /[^\p{ASCII}]/u;
const NOT_IN_HOST = /[^\w.~!$&'()*+,;=%-]/;

/** Without the dot of the root; empty when there is no such form. */
function asciiOf(name: string): string {
  return domainToASCII(name).replace(/\.$/, '');
}

function nameFault(name: string): string | undefined {
  // Joiners are part of some names.
  const unseen = [...name].find((character) => isUnseen(character) && !/[\u200c\u200d]/.test(character));
  if (unseen !== undefined) return FAULTS.unwanted(nameOf(unseen), 'in its host');
  const forbidden = firstOf(NOT_IN_HOST, name.replaceAll(/[^\p{ASCII}]/gu, ''));
  if (forbidden !== undefined) return FAULTS.unwanted(forbidden, 'in its host');
  if (NOT_ASCII.test(name)) {
    const ascii = asciiOf(name);
    return ascii === '' ? FAULTS.badHost() : FAULTS.notAsciiHost(ascii);
  }
  return URL.canParse(`https://${name}/`) ? undefined : FAULTS.badHost();
}

/** RFC 3986, sections 3.3 to 3.5. */
const NOT_AFTER_HOST = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/iu;

/** Path, query and fragment. */
function restFault(rest: string): string | undefined {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(rest) ?? [];
  for (const [place, part] of Object.entries({ path, query, fragment })) {
    const character = firstOf(NOT_AFTER_HOST, part);
    if (character === undefined) continue;
    if (character === '%') return FAULTS.percent(`in its ${place}`);
    const isRemovable = isUnseen(character) && character !== ' ';
    if (isRemovable) return FAULTS.unwanted(nameOf(character), `in its ${place}`);
    return FAULTS.writtenAs(nameOf(character), `in its ${place}`, encodeURIComponent(character));
  }
  return undefined;
}

function emailFault(text: string): string | undefined {
  if (/^mailto:/i.test(text)) return FAULTS.mailto();
  if (/^[^<>]*<[^<>@]+@[^<>]+>$/.test(text)) return FAULTS.enclosed('a name or angle brackets');
  const otherAt = firstOf(/[＠﹫]/, text);
  if (otherAt !== undefined) return FAULTS.instead(otherAt, '@');
  const parts = text.split('@');
  if (parts.length > 2) return /[,;\s]/.test(text) ? FAULTS.severalEmails() : FAULTS.severalAts();
  const [local = '', domain] = parts;
  if (domain === undefined) return undefined;
  if (local === '') return FAULTS.noLocalPart();
  return domainFault(domain) ?? localPartFault(local);
}

function domainFault(domain: string): string | undefined {
  const forbidden = firstOf(/[^a-z\d.-]/i, domain.replaceAll(/[^\p{ASCII}]/gu, ''));
  const unseen = [...domain].find((character) => isUnseen(character) && !/[\u200c\u200d]/.test(character));
  if (unseen !== undefined) return FAULTS.unwanted(nameOf(unseen), 'after the @');
  if (forbidden === '[' || forbidden === ':') return FAULTS.noDomain();
  if (forbidden !== undefined) return FAULTS.unwanted(forbidden, 'after the @');
  if (NOT_ASCII.test(domain)) {
    const ascii = asciiOf(domain);
    return ascii === '' ? FAULTS.noDomain() : FAULTS.notAsciiDomain(ascii);
  }
  if (/^\.|\.\.|\.$/.test(domain)) return FAULTS.dots('after the @');
  if (!domain.includes('.')) return FAULTS.noDomain();
  return /(?:^|\.)-|-(?:\.|$)/.test(domain) ? FAULTS.hyphens() : undefined;
}

function localPartFault(text: string): string | undefined {
  const local = text.normalize('NFC');
  const character = firstOf(/[^\w.!#$%&'*+/=?^`{|}~-]/u, local);
  if (character !== undefined && (isUnseen(character) || character < '\u007f'))
    return FAULTS.unwanted(nameOf(character), 'before the @');
  if (character !== undefined) return FAULTS.notAsciiLocalPart(nameOf(character));
  return /^\.|\.\.|\.$/.test(local) ? FAULTS.dots('before the @') : undefined;
}
