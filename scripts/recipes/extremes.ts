import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newWebhookSecret, signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { until } from '../../harness/process/until.ts';
import { MAX_EVENT_BYTES } from '../../jobs/documents/forensic-result.ts';

export interface Delivery {
  body: string;
  headers: Record<string, string>;
}

/** The receiver has the old one; during a rotation both sign, the new one first. */
export const SECRETS = { old: newWebhookSecret(), new: newWebhookSecret() };

/**
 * Sends what a receiver must bear. @param timesOf how often it printed that it worked on the delivery with an id
 * @throws when it fails one
 */
export async function provedBy(
  send: (delivery: Delivery) => Promise<number>,
  timesOf: (id: string) => number,
): Promise<void> {
  const small = delivery(eventOf('Zoë Núñez 李 🔑 </é>'), [SECRETS.old]);
  assert.equal(await send(small), 204, 'an event with characters outside ASCII');
  assert.equal(timesOf(small.id), 0, 'the answer comes before the work');
  assert.equal(await send(again(small)), 204, 'a retry, with a new timestamp and signature');

  const largest = delivery(largestEvent(), [SECRETS.old]);
  assert.equal(await send(largest), 204, 'the largest event');
  const rotated = delivery(eventOf('rotated'), [SECRETS.new, SECRETS.old]);
  assert.equal(await send(rotated), 204, 'an event that both secrets sign');

  const refused: [string, Delivery][] = [
    ['another secret', delivery(eventOf('foreign'), [SECRETS.new])],
    ['a changed body', { ...small, body: small.body.replace('verified', 'rejected') }],
    ['a changed large body', { ...largest, body: `${largest.body} ` }],
    ['no signature', { ...small, headers: {} }],
    ['an old timestamp', delivery(eventOf('old'), [SECRETS.old], new Date(Date.now() - 400_000))],
  ];
  for (const [what, forged] of refused) assert.equal(await send(forged), 400, what);

  const taken = [small, largest, rotated];
  await until('the work was done', async () => taken.every(({ id }) => timesOf(id) > 0));
  assert.deepEqual(
    taken.map(({ id }) => timesOf(id)),
    [1, 1, 1],
    'each event is worked on once',
  );
}

interface Signed extends Delivery {
  id: string;
}

function delivery(body: string, secrets: string[], at = new Date(), id = `msg_${randomUUID()}`): Signed {
  return { id, body, headers: { ...signatureHeaders(id, at, body, secrets) } };
}

function again({ id, body }: Signed): Signed {
  return delivery(body, [SECRETS.old], new Date(Date.now() + 1000), id);
}

function eventOf(name: string): string {
  return JSON.stringify({ event: 'KYC_VERIFICATION_DATA', data: { name, result: 'verified' } });
}

function largestEvent(): string {
  const sized = (length: number) =>
    JSON.stringify({ event: 'FORENSIC_ANALYSIS_DATA', data: { text: 'x'.repeat(length) } });
  return sized(MAX_EVENT_BYTES - sized(0).length);
}
