import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

const HOST = /^(?:\[([\da-f:.]{2,45})\]|[\w.~-]{1,253})(?::(\d{0,5}))?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;
const MAX_PORT = 65_535;

/** Whether the request names one host, as RFC 9112, section 3.2, requires. HTTP/1.0 may name none. */
export function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 'host'.length || name.toLowerCase() !== 'host') continue;
    if (found !== undefined) return false;
    found = rawHeaders[index + 1] ?? '';
  }
  return found === undefined ? httpVersion === '1.0' : isHost(found);
}

/** The origin form of a target in absolute form (RFC 9112, section 3.2.2), the path as it was sent; undefined when it has no valid host. */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  // OPTIONS for the server as a whole: not a resource of the service.
  if (target === '*') return '/*';
  const [, host = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (!isHost(host)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
function isHost(text: string): boolean {
  const found = HOST.exec(text);
  if (!found) return false;
  const [, v6, port = ''] = found;
  return (v6 === undefined || isIPv6(v6)) && Number(port) <= MAX_PORT;
}
