import { eventExamples } from '../../contract-tests/examples/named-examples.ts';
import { newDeliveryId } from '../../core/ids.ts';
import { signatureHeaders } from '../../core/signatures.ts';
import { messageOf } from './server.ts';

/** As long as the service waits. */
const PATIENCE_MS = 15_000;

/**
 * Sends the example of each event to the address that this body registered, signed as the service signs. Prism would send
 * them without the headers of the signature, and for a registration that it refuses too.
 * @returns what could not be delivered
 */
export async function sendEvents(registration: string): Promise<string[]> {
  const { url, secret }: { url: string; secret?: string } = JSON.parse(registration);
  const failures: string[] = [];
  for (const event of eventExamples)
    await deliver(url, JSON.stringify(event), secret).catch((error) => failures.push(`${url}: ${messageOf(error)}`));
  return failures;
}

async function deliver(url: string, body: string, secret: string | undefined): Promise<void> {
  const signature = secret === undefined ? {} : signatureHeaders(newDeliveryId(), new Date(), body, secret);
  const headers = { 'content-type': 'application/json', ...signature };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
}
