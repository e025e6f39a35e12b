import type { IncomingHttpHeaders } from 'node:http';

/** The size of a kept excerpt. */
export const MAX_EXCERPT_BYTES = 1024;

const MAX_ENCODING_LENGTH = 40;
const MAX_HINT_LENGTH = 300;

/** The header that tells how the request would have to be made, by status (RFC 9110, sections 10.2 and 15). */
const HINTS: [RegExp, string][] = [
  [/^3/, 'Location'],
  [/^401$/, 'WWW-Authenticate'],
  [/^405$/, 'Allow'],
  [/^407$/, 'Proxy-Authenticate'],
  [/^415$/, 'Accept'],
  [/^426$/, 'Upgrade'],
  [/^(429|503)$/, 'Retry-After'],
];

/**
 * The beginning of a response as one line of text that is safe for terminals and databases: no control or bidirectional characters,
 * and no truncated one at the end. Compressed content stays compressed: decompressed, it could be of any size.
 */
export function answerExcerpt(beginning: Buffer, encoding: string | undefined): string {
  if (beginning.length === 0) return '';
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) return `(not shown: encoded as ${plain(encoding)})`;
  // Streaming mode withholds a truncated character.
  return oneLine(new TextDecoder().decode(beginning, { stream: true }));
}

/** Such as `Location: https://new.example/hook`. Undefined for a success and without such a header. */
export function headerHint(statusCode: number, headers: IncomingHttpHeaders): string | undefined {
  const [, name] = HINTS.find(([status]) => status.test(String(statusCode))) ?? [];
  const value = name === undefined ? undefined : headers[name.toLowerCase()];
  if (value === undefined) return undefined;
  // Node reads header bytes as Latin-1.
  return `${name}: ${oneLine(String(value)).slice(0, MAX_HINT_LENGTH)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

function plain(header: string): string {
  return header.replace(/[^a-z0-9 ,_-]/gi, '').slice(0, MAX_ENCODING_LENGTH);
}
