import { setTimeout as after } from 'node:timers/promises';
import { correlated, correlationId } from '../../core/correlation.ts';
import { idsOf } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryToSend,
  type EndedClaim,
  extendLeases,
  giveBack,
  isReachable,
  loadDeliveries,
} from '../../db/webhooks/deliveries.ts';
import { inBatches } from '../queue/batches.ts';
import { CLOCK_DIFFERENCE_MS } from '../queue/claims.ts';
import { LEASE_SECONDS, type Worker } from '../queue/queue.ts';
import { type Attempting, attemptDelivery } from './deliver-webhook.ts';
import { DeliveryLanes, type Ending } from './delivery-lanes.ts';
import { type Attempt, type Recording, recordOutcomes } from './record-outcomes.ts';

const MOST_IN_A_BATCH = 200;
const LEASE_MS = LEASE_SECONDS * 1000;
const RECORD_AGAIN_MS = 1_000;

type Delivering = Attempting & Recording;

/** A delivery that this process has claimed. */
interface Held extends ClaimedDelivery {
  /** The end of the lease, as `due_at` has it. */
  lease: string;
  correlationId: string;
  /** Settles once it was put off; undefined while it is held. */
  putOff?: Promise<void>;
}

interface Delay extends EndedClaim {
  correlationId: string;
}

/**
 * Sends deliveries. A job only carries the id of one:
 * 1. claim it by a lease in its row; the job is done then;
 * 2. queue it in the lane of its endpoint, or put it off when the lane is full: give the lease up and send a job for later;
 * 3. when its turn comes, load it again and make one attempt;
 * 4. record the outcome, which ends the lease or plans the next attempt.
 * A heartbeat extends the leases until then. When the process dies they expire, and no attempt is spent.
 */
export class Deliverer {
  readonly #runtime: Delivering;
  readonly #lanes: DeliveryLanes<Held>;
  readonly #held = new Set<Held>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #claim: (id: string) => Promise<(ClaimedDelivery & { lease: string }) | undefined>;
  readonly #load: (id: string) => Promise<DeliveryToSend | undefined>;
  readonly #record: (attempt: Attempt) => Promise<undefined>;
  readonly #delay: (delay: Delay) => Promise<undefined>;
  #isStopping = false;

  constructor(runtime: Delivering) {
    this.#runtime = runtime;
    this.#claim = inBatches(MOST_IN_A_BATCH, (ids) => this.#claimAll(ids));
    this.#load = inBatches(MOST_IN_A_BATCH, (ids) => this.#loadAll(ids));
    this.#record = inBatches(MOST_IN_A_BATCH, (attempts) => this.#recordAll(attempts));
    this.#delay = inBatches(MOST_IN_A_BATCH, (delays) => this.#delayAll(delays));
    this.#lanes = new DeliveryLanes(
      (held) => this.#follow(correlated(held.correlationId, () => this.#send(held))),
      (held, delayMs) => this.#putOff(held, delayMs),
    );
    this.#heartbeat = setInterval(() => void this.#follow(this.#extendLeases()), LEASE_MS / 3);
  }

  /** Queues a delivery in the lane of its endpoint, unless another process holds it, or it is not due or finished. */
  readonly take: Worker = async (id) => {
    const claimed = await this.#claim(id);
    if (!claimed) return;
    const held: Held = { ...claimed, correlationId: correlationId() ?? id };
    this.#held.add(held);
    this.#lanes.add(held.webhook_id, held);
    // Back-pressure: a job ends only once its delivery was put off.
    await held.putOff;
  };

  /** Drains: gives up the leases of waiting deliveries, and resolves when the running attempts are recorded. */
  async stop(): Promise<void> {
    const { db, now, log } = this.#runtime;
    this.#isStopping = true;
    const dueAt = now().toISOString();
    const waiting = this.#lanes.remove(() => true).map(({ id, lease }) => ({ id, lease, dueAt }));
    if (waiting.length > 0)
      await giveBack(db, waiting).catch((error) => log.warn({ err: error }, 'deliveries not given back'));
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    clearInterval(this.#heartbeat);
  }

  /** `stop` waits for it. */
  #follow<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay.add(work);
    const forget = () => this.#underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  async #claimAll(ids: string[]) {
    const { db, now } = this.#runtime;
    const moment = now();
    const lease = isoAfter(moment, LEASE_MS);
    // A delivery that is refused because of a skewed clock would wait for the sweep.
    const dueBefore = isoAfter(moment, CLOCK_DIFFERENCE_MS);
    const claimed = await claimDeliveries(db, ids, { dueBefore, lease });
    return inOrderOf(
      ids,
      claimed.map((delivery) => ({ ...delivery, lease })),
    );
  }

  async #loadAll(ids: string[]) {
    return inOrderOf(ids, await loadDeliveries(this.#runtime.db, ids, this.#runtime.now()));
  }

  async #send(held: Held): Promise<Ending> {
    const { log } = this.#runtime;
    try {
      const delivery = await this.#load(held.id);
      const outcome = delivery && (await attemptDelivery(this.#runtime, delivery));
      if (!outcome) return 'nothing';
      await this.#record({ delivery, outcome, correlationId: held.correlationId });
      const { statusCode, fault, error, durationMs } = outcome;
      const entry = { delivery: held.id, event: delivery.event, attempt: delivery.attempts + 1 };
      log.info({ ...entry, statusCode, fault, durationMs: Math.round(durationMs) }, 'delivery attempted');
      return error === null ? 'success' : 'failure';
    } catch (error) {
      // Nothing was recorded: the lease expires, and the attempt is made again.
      log.error({ delivery: held.id, err: error }, 'delivery not attempted, or its outcome not recorded');
      return 'nothing';
    } finally {
      this.#held.delete(held);
    }
  }

  /**
   * An unrecorded outcome means a repeated attempt, so wait for a database that is unavailable. When it is available, one
   * outcome that it refuses must not block the others.
   */
  async #recordAll(attempts: Attempt[]): Promise<[]> {
    const { db, log } = this.#runtime;
    for (;;)
      try {
        await recordOutcomes(this.#runtime, attempts);
        return [];
      } catch (error) {
        if (this.#isStopping) throw error;
        log.warn({ err: error, attempts: attempts.length }, 'outcomes not recorded yet');
        if (await isReachable(db)) {
          await this.#recordEach(attempts);
          return [];
        }
        await after(RECORD_AGAIN_MS);
      }
  }

  async #recordEach(attempts: Attempt[]): Promise<void> {
    for (const attempt of attempts)
      await recordOutcomes(this.#runtime, [attempt]).catch((error) => {
        this.#runtime.log.error({ delivery: attempt.delivery.id, err: error }, 'outcome not recorded');
      });
  }

  #putOff(held: Held, delayMs: number): void {
    const { now, log } = this.#runtime;
    const { id, lease, correlationId } = held;
    this.#held.delete(held);
    held.putOff = this.#follow(this.#delay({ id, lease, correlationId, dueAt: isoAfter(now(), delayMs) })).then(
      () => {},
      (error) => log.warn({ delivery: id, err: error }, 'delivery not put off'),
    );
  }

  /** Spends no attempt. */
  async #delayAll(delays: Delay[]): Promise<[]> {
    const { db, queue } = this.#runtime;
    await db.transaction(async (trx) => {
      const ids = new Set(await giveBack(trx, delays));
      const jobs = delays
        .filter(({ id }) => ids.has(id))
        .map(({ id, dueAt, correlationId }) => ({ id, correlationId, startAfter: new Date(dueAt), bulk: true }));
      if (jobs.length > 0) await queue.send(trx, 'deliver-webhook', jobs);
    });
    return [];
  }

  /** Drops deliveries whose lease we lost (paused, redelivered, or reclaimed by another process). */
  async #extendLeases(): Promise<void> {
    const { db, now, log } = this.#runtime;
    const to = isoAfter(now(), LEASE_MS);
    for (const [from, together] of Map.groupBy(this.#held, ({ lease }) => lease))
      try {
        const kept = new Set(await extendLeases(db, idsOf(together), { from, to }));
        for (const held of together) if (kept.has(held.id)) held.lease = to;
        const lost = new Set(together.filter(({ id }) => !kept.has(id)));
        if (lost.size > 0) for (const held of this.#lanes.remove((held) => lost.has(held))) this.#held.delete(held);
      } catch (error) {
        log.warn({ deliveries: together.length, err: error }, 'leases not extended');
      }
  }
}

function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}
