import { sealText } from '../../core/secrets/secrets.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { bulkId, dialectOf, inBulk, insertBulk, orderedSpread } from '../../harness/database/bulk-rows.ts';
import { SECRET } from '../webhooks/endpoint.ts';
import { Rows } from './rows.ts';
import type { Stage } from './stage.ts';

/** In minutes ago, by the number of a delivery. */
export const TOMORROW = '-1440 - i / 6000.0';
/** Every second an hour ago, the others tomorrow. */
export const EVERY_SECOND = `case when i % 2 = 0 then 60 + i / 6000.0 else ${TOMORROW} end`;

/** A webhook with its own key, so that it receives no event of the others. @returns its id */
export async function addWebhook({ db, history, receiver }: Stage): Promise<string> {
  const landlordId = bulkId('landlord', 0, orderedSpread(history.amounts.applications / 10));
  const { apiKey } = await createApiKey(db, landlordId, 'Absent', new Date());
  const [url = ''] = await receiver.ask('listen', [{ hangs: 0, hangMs: 0 }]);
  const sealedSecret = sealText(SECRET, history.config.keys.encryption);
  return insertWebhook(db, { apiKeyId: apiKey.id, url, sealedSecret }, new Date());
}

interface Waiting {
  webhookId: string;
  amount: number;
  /** How many minutes ago: `TOMORROW`, or `EVERY_SECOND`. */
  dueAt: string;
}

/** Deliveries of events of the whole month, which the statistics do not know. */
export async function addWaiting({ db, history: { amounts } }: Stage, { webhookId, amount, dueAt }: Waiting) {
  if (amount > amounts.events) throw new Error(`There are only ${amounts.events} events for ${amount} deliveries.`);
  const number = `(i * ${Math.floor(amounts.events / amount)})`;
  await inBulk(db, async (trx) => {
    const rows = new Rows(trx, amounts);
    await insertBulk(trx, 'deliveries', amount, {
      // Unlike those of the history, and of another webhook.
      id: `${rows.deliveryId(`(2 * ${number})`)} || '${webhookId.slice(-6)}'`,
      event_id: rows.eventId(number),
      webhook_id: `'${webhookId}'`,
      status: `'pending'`,
      attempts: '0',
      due_at: dialectOf(trx).minutesAgo(dueAt),
      created_at: dialectOf(trx).minutesAgo('i / 60000.0'),
    });
  });
}
