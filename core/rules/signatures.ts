import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/**
 * What the public libraries decode. Padding may lack: those for Node, Python, Java, PHP and Ruby read that too. None knows
 * the alphabet for URLs, so `-` and `_` make a text of it.
 */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** `openssl rand -base64 64` prints two lines; those for Go, C#, Python, PHP and Ruby read them as one. */
const LINE_BREAKS = /[\r\n]+/g;
/** Each secret takes up to 96 bytes of a header, and some servers take 8 KB of headers in all. */
const MOST_SECRETS = 10;

/** The Standard Webhooks headers of one attempt (product document 6.1). */
export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** A way to take a secret as the bytes of a key. */
export interface Reading {
  as: 'base64' | 'characters';
  key: Buffer;
}

/**
 * Signs the exact body. While a secret is replaced, the old one signs beside the new: the current secret comes first, then
 * former ones, the latest first. Of more than ten the oldest sign no longer.
 */
export function signatureHeaders(
  deliveryId: string,
  sentAt: Date,
  body: string,
  secrets: readonly string[],
): SignatureHeaders {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets
    .slice(0, MOST_SECRETS)
    .flatMap(readings)
    .map(({ key }) => signature(key, deliveryId, timestamp, body));
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': [...new Set(signatures)].join(' '),
  };
}

/**
 * Some receivers read a secret as base64 and others as characters, so both readings sign and the receiver accepts the one
 * that matches. Only `whsec_` before complete base64 leaves no doubt. A key of no bytes is none: everybody could sign with it.
 */
export function readings(secret: string): Reading[] {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const encoded = text.replace(LINE_BREAKS, '');
  const decoded = Buffer.from(BASE64.test(encoded) ? encoded : '', 'base64');
  const isCertain = secret.startsWith(PREFIX) && text !== '' && decoded.toString('base64') === text;
  const all: Reading[] = [{ as: 'base64', key: decoded }];
  if (!isCertain) all.push({ as: 'characters', key: Buffer.from(secret) });
  return all.filter(({ key }) => key.length > 0);
}

/** One signature of the scheme: HMAC-SHA256 over id, timestamp and body with dots between them. */
export function signature(key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
