import { DAY_MS, isoAfter } from '../../core/time.ts';
import { forgetEvents, forgetFormerSecrets, forgetPayloads } from '../../db/webhooks/old-events.ts';
import type { Runtime } from '../runtime.ts';

/** What events told is kept for a shorter time than that they were delivered, and nothing of them for ever. */
export async function forgetOldEvents({ db, webhooks, now, log }: Runtime): Promise<void> {
  const moment = now();
  const daysAgo = (days: number) => isoAfter(moment, -days * DAY_MS);
  const payloads = await forgetPayloads(db, daysAgo(webhooks.payloadDays), moment);
  const events = await forgetEvents(db, daysAgo(webhooks.recordDays));
  await forgetFormerSecrets(db, moment);
  if (payloads + events > 0) log.info({ payloads, events }, 'old events forgotten');
}
