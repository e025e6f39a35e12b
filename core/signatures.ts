import { Webhook } from 'standardwebhooks';

const PREFIX = 'whsec_';
/** Padding may lack: the public libraries for Node and PHP read that too. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The Standard Webhooks headers of one attempt (product document 6.1). */
export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/**
 * Signs the exact body. Some receivers read a secret as base64 and others as characters, so both readings sign and the
 * receiver accepts the one that matches. Only `whsec_` before complete base64 leaves no doubt.
 */
export function signatureHeaders(deliveryId: string, sentAt: Date, body: string, secret: string): SignatureHeaders {
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': readings(secret)
      .map((webhook) => webhook.sign(deliveryId, sentAt, body))
      .join(' '),
  };
}

function readings(secret: string): Webhook[] {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const decoded = Buffer.from(BASE64.test(encoded) ? encoded : '', 'base64');
  const isCertain = secret.startsWith(PREFIX) && encoded !== '' && decoded.toString('base64') === encoded;
  const keys = [decoded, ...(isCertain ? [] : [Buffer.from(secret)])].filter(({ length }) => length > 0);
  return keys.map((key) => new Webhook(key, { format: 'raw' }));
}
