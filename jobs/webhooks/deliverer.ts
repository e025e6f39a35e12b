import { setTimeout as after } from 'node:timers/promises';
import { inBatches } from '../../core/batches.ts';
import { type DeliveryToSend, isReachable, loadDeliveries } from '../../db/webhooks/deliveries.ts';
import type { Ending, LanePolicy } from '../queue/lanes.ts';
import { type Claiming, ClaimingWorker } from '../queue/worker.ts';
import { type Attempting, attemptDelivery } from './attempt-delivery.ts';
import { type Attempt, type Recording, recordOutcomes } from './record-outcomes.ts';

const RECORD_AGAIN_MS = 1_000;

/** Attempts younger than `youngMs` occupy one of the places; older ones count as slow and occupy none. */
const PLACES = 128;
/** The places shared by all endpoints whose last attempt was not a prompt success: a bulkhead. */
const DOUBTFUL_PLACES = PLACES / 2;
/** The places reserved for them even when the others could use all; new endpoints start here. */
const MIN_DOUBTFUL_PLACES = PLACES / 8;
/** Limit of concurrent attempts in all: each has a socket. */
const MAX_IN_FLIGHT = 2_000;

/** One lane per endpoint, so that hanging or failing endpoints do not slow the others down. */
export const deliveryLanes: LanePolicy = {
  window: { first: 4, largest: 64, shrinking: 4 },
  mostWaiting: 4_000,
  mostOtherWaiting: 2_000,
  youngMs: 1_000,
  lineOf: ({ isPrompt }) => (isPrompt ? 'preferred' : 'other'),
  next({ preferred, other: doubtful }, underWay) {
    if (preferred + doubtful >= PLACES || underWay >= MAX_IN_FLIGHT) return [];
    if (doubtful < MIN_DOUBTFUL_PLACES) return ['other', 'preferred'];
    return doubtful < DOUBTFUL_PLACES ? ['preferred', 'other'] : ['preferred'];
  },
};

type Delivering = Attempting & Recording & Claiming;

/**
 * Sends deliveries, in one lane per endpoint. When it is a delivery's turn:
 * 1. load it with the current state of its webhook, and make one attempt;
 * 2. record the outcome, which plans the next attempt or ends the delivery.
 */
export function createDeliverer(runtime: Delivering): ClaimingWorker {
  const load = inBatches<string, DeliveryToSend>(async (ids) => {
    const rows = await loadDeliveries(runtime.db, ids, runtime.now());
    return ids.map((id) => rows.find((row) => row.id === id));
  });
  const record = inBatches<Attempt>((attempts) => recordPatiently(runtime, attempts, () => worker.isDraining));
  const deliver = async (id: string): Promise<Ending> => {
    const delivery = await load(id);
    const outcome = delivery && (await attemptDelivery(runtime, delivery));
    if (!outcome) return 'nothing';
    await record({ delivery, outcome });
    noteAttempt(runtime, { delivery, outcome });
    if (outcome.fault === 'ours') return 'nothing';
    return outcome.error === null ? 'success' : 'failure';
  };
  const worker = new ClaimingWorker(runtime, 'deliver-webhook', deliver, deliveryLanes);
  return worker;
}

/**
 * An unrecorded outcome means a repeated attempt, so wait while the database is unavailable. When it is available, one outcome that it
 * refuses must not block the others.
 */
async function recordPatiently(runtime: Delivering, attempts: Attempt[], isStopping: () => boolean): Promise<void> {
  const { db, log } = runtime;
  for (;;)
    try {
      return await recordOutcomes(runtime, attempts);
    } catch (err) {
      if (isStopping()) throw err;
      log.warn({ err, attempts: attempts.length }, 'outcomes not recorded yet');
      if (await isReachable(db)) break;
      await after(RECORD_AGAIN_MS);
    }
  for (const attempt of attempts)
    await recordOutcomes(runtime, [attempt]).catch((err) =>
      log.error({ delivery: attempt.delivery.id, err }, 'outcome not recorded'),
    );
}

function noteAttempt({ log, work }: Delivering, { delivery, outcome }: Attempt): void {
  const { statusCode, fault, error, durationMs } = outcome;
  const { id, event, attempts } = delivery;
  const answer = { statusCode, fault, durationMs: Math.round(durationMs) };
  log.info({ delivery: id, event, attempt: attempts + 1, ...answer }, 'delivery attempted');
  work.emit('delivery attempted', error === null ? 'success' : (fault ?? 'refused'));
}
