import { signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { newDeliveryId } from '../../core/ids.ts';
import type { components } from '../../generated/openapi.d.ts';
import { eventExamples } from '../../harness/contract/named-examples.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../providers/outbound/outbound-http.ts';
import { messageOf } from './server.ts';

type Registration = components['schemas']['WebhookRegistration'];

/**
 * Sends the example of each event to the address that this body registered, signed as the service signs.
 * @returns a message for each failed delivery
 */
export async function sendEvents({ url, secret }: Registration): Promise<string[]> {
  const failures: string[] = [];
  for (const event of eventExamples)
    await deliver(url, JSON.stringify(event), secret).catch((error) => failures.push(`${url}: ${messageOf(error)}`));
  return failures;
}

async function deliver(url: string, body: string, secret?: string): Promise<void> {
  const signature = secret === undefined ? {} : signatureHeaders(newDeliveryId(), new Date(), body, [secret]);
  const headers = { 'content-type': 'application/json', ...signature };
  const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
}
