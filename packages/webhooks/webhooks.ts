import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { EVENTS, type ScreeningEvent } from './generated/events.ts';

export * from './generated/events.ts';
export { WebhookVerificationError };

/** Larger than any delivery. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface Delivery {
  /** The same in every retry: store it with a unique key, and answer 204 when it is there already. */
  id: string;
  /** Undefined for an event that this version does not know: answer 204 then. */
  event: ScreeningEvent | undefined;
}

/** Headers as `fetch` and as Node, Express or Fastify have them. */
export type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Verifies a delivery.
 * @param body the raw body; a parsed and re-serialized one no longer matches
 * @param secrets the webhook's secret; several while you change it
 * @throws WebhookVerificationError when no secret matches, or the timestamp is more than five minutes off: answer 400
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
): Delivery {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  const signed = signatureHeaders(headers);
  const verified = firstSuccess([secrets].flat(), (secret) => webhookOf(secret).verify(text, signed));
  return { id: signed['webhook-id'], event: isScreeningEvent(verified) ? verified : undefined };
}

export function isScreeningEvent(event: unknown): event is ScreeningEvent {
  if (typeof event !== 'object' || event === null || !('event' in event)) return false;
  return EVENTS.some((name) => name === event.event);
}

/** Base64 with or without `whsec_`; any other text as it is. */
function webhookOf(secret: string): Webhook {
  const encoded = secret.replace(/^whsec_/, '');
  const isBase64 = encoded !== '' && Buffer.from(encoded, 'base64').toString('base64') === encoded;
  return isBase64 ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' });
}

function firstSuccess<Result>(secrets: readonly string[], verify: (secret: string) => Result): Result {
  const [secret, ...others] = secrets;
  if (secret === undefined) throw new WebhookVerificationError('There is no secret to verify with.');
  try {
    return verify(secret);
  } catch (error) {
    if (others.length === 0) throw error;
    return firstSuccess(others, verify);
  }
}

function signatureHeaders(
  headers: ReceivedHeaders,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const headerNamed = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    'webhook-id': headerNamed('webhook-id'),
    'webhook-timestamp': headerNamed('webhook-timestamp'),
    'webhook-signature': headerNamed('webhook-signature'),
  };
}
