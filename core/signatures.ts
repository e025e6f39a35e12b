import { Webhook } from 'standardwebhooks';

const PREFIX = 'whsec_';

/** The Standard Webhooks headers of one attempt (product document 6.1). */
export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/**
 * Signs the exact body. A plain secret that is also strict base64 is read by some receivers as base64 and by others as
 * characters, so both readings sign and the receiver accepts the one that matches.
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
  const asCharacters = () => new Webhook(Buffer.from(secret), { format: 'raw' });
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!isStrictBase64(encoded)) return [asCharacters()];
  return secret.startsWith(PREFIX) ? [new Webhook(encoded)] : [new Webhook(encoded), asCharacters()];
}

function isStrictBase64(text: string): boolean {
  return text.length > 0 && Buffer.from(text, 'base64').toString('base64') === text;
}
