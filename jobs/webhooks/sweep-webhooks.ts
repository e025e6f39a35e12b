import { inTransaction } from '../../db/connection/transactions.ts';
import { listSweeps, postponeSweep, sweepWebhook } from '../../db/webhooks/webhook-sweeps.ts';
import type { Runtime } from '../runtime.ts';

/** Bounds how long a stop waits. */
const MAX_BATCHES_PER_TURN = 20;

/**
 * Holds deliveries that a pause left, and releases deliveries that a resume left: a bounded number per turn, webhook by webhook. A webhook
 * that fails comes last in the next turns, so that any number of them stops no other. Safe beside other processes that do the same.
 */
export async function sweepWebhooks({ db, now, log }: Pick<Runtime, 'db' | 'now' | 'log'>): Promise<void> {
  const webhooks = await listSweeps(db, MAX_BATCHES_PER_TURN);
  for (const webhook of webhooks)
    try {
      let batches = Math.floor(MAX_BATCHES_PER_TURN / webhooks.length);
      while (batches-- > 0 && (await inTransaction(db, (trx) => sweepWebhook(trx, webhook, now()))));
    } catch (err) {
      log.error({ webhook, err }, 'webhook sweep failed');
      await postponeSweep(db, webhook, now());
    }
}
