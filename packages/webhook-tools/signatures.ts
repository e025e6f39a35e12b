import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Begins a secret in the form of Standard Webhooks. */
export const PREFIX = 'whsec_';
/**
 * What the public libraries decode. Padding may be missing: the libraries for Node, Python, Java, PHP and Ruby accept a secret without it. None
 * accepts the URL alphabet, so a secret with `-` or `_` is read as characters.
 */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** `openssl rand -base64 64` prints two lines; the libraries for Go, C#, Python, PHP and Ruby join them. */
const LINE_BREAKS = /[\r\n]+/g;
/** Each secret takes up to 96 bytes of a header, and some servers accept 8 KB of headers in all. */
const MAX_SECRETS = 10;

/** The Standard Webhooks headers of one attempt (product document 6.1). */
export const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

export type SignatureHeaders = Record<(typeof SIGNATURE_HEADERS)[number], string>;

/** A way to read a secret as the bytes of a key. */
export interface Reading {
  as: 'base64' | 'characters';
  key: Buffer;
}

/**
 * Signs the exact body. During a rotation the former secrets sign beside the current one.
 * @param secrets the current one first, then former ones, latest first; only the first ten sign
 */
export function signatureHeaders(
  deliveryId: string,
  sentAt: Date,
  body: string,
  secrets: readonly string[],
): SignatureHeaders {
  const signatures = secrets
    .slice(0, MAX_SECRETS)
    .flatMap(readings)
    .map(({ key }) => new Webhook(key, { format: 'raw' }).sign(deliveryId, sentAt, body));
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': [...new Set(signatures)].join(' '),
  };
}

/**
 * Some receivers read a secret as base64 and others as characters, so both readings sign, and a receiver accepts the one that
 * matches. Only `whsec_` before complete base64 is unambiguous. An empty key is dropped: anyone could sign with it.
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

/** A secret in the form of Standard Webhooks, with 256 random bits. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}
