import { setTimeout as after } from 'node:timers/promises';
import { correlated } from '../../core/correlation.ts';
import { type DeliveryToSend, isReachable, loadDeliveries } from '../../db/webhooks/deliveries.ts';
import { inBatches } from '../queue/batches.ts';
import { kinds } from '../queue/kinds.ts';
import { type Claiming, type Held, Leases } from '../queue/leases.ts';
import type { ClaimingWorker } from '../queue/worker.ts';
import { type Attempting, attemptDelivery } from './deliver-webhook.ts';
import { DeliveryLanes, type Ending } from './delivery-lanes.ts';
import { type Attempt, type Recording, recordOutcomes } from './record-outcomes.ts';

const MOST_IN_A_BATCH = 200;
const RECORD_AGAIN_MS = 1_000;

type Delivering = Attempting & Recording & Claiming;

/**
 * Sends deliveries:
 * 1. claim those that the queue brings;
 * 2. queue each in the lane of its endpoint, or put it off when the lane is full: it is due again later;
 * 3. when its turn comes, load it with the current state of its webhook and make one attempt;
 * 4. record the outcome, which plans the next attempt or ends the delivery.
 */
export class Deliverer implements ClaimingWorker {
  readonly #runtime: Delivering;
  readonly #leases: Leases;
  readonly #lanes: DeliveryLanes<Held>;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #load: (id: string) => Promise<DeliveryToSend | undefined>;
  readonly #record: (attempt: Attempt) => Promise<undefined>;
  readonly #delay: (delay: Held & { delayMs: number }) => Promise<undefined>;
  #puttingOff = 0;
  #hasRoom = () => {};
  #isStopping = false;

  constructor(runtime: Delivering) {
    this.#runtime = runtime;
    this.#leases = new Leases(runtime, 'deliver-webhook', (lost) => this.#lanes.remove((held) => held === lost));
    this.#load = inBatches(MOST_IN_A_BATCH, async (ids) => {
      const rows = await loadDeliveries(runtime.db, ids, runtime.now());
      return ids.map((id) => rows.find((row) => row.id === id));
    });
    this.#record = inBatches(MOST_IN_A_BATCH, (attempts) => this.#recordAll(attempts));
    this.#delay = inBatches(MOST_IN_A_BATCH, async (delays) => {
      await this.#leases.giveBack(delays);
      return [];
    });
    this.#lanes = new DeliveryLanes(
      (held) => this.#follow(correlated(held.correlationId, () => this.#send(held))),
      (held, delayMs) => this.#putOff(held, delayMs),
    );
  }

  /** The lanes put off what they have no room for, which limits how many more are claimed meanwhile. */
  room(): number {
    return kinds['deliver-webhook'].concurrency - this.#puttingOff;
  }

  async take(ids: readonly string[], hasRoom: () => void): Promise<void> {
    this.#hasRoom = hasRoom;
    for (const held of await this.#leases.claim(ids)) this.#lanes.add(held.webhook_id, held);
  }

  /** Gives up the leases of waiting deliveries, and resolves when the running attempts are recorded. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    for (const held of this.#lanes.remove(() => true)) this.#putOff(held, 0);
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    this.#leases.close();
  }

  /** `drain` waits for it. */
  #follow<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay.add(work);
    const forget = () => this.#underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  async #send(held: Held): Promise<Ending> {
    const { log, work } = this.#runtime;
    const { name } = this.#leases;
    work.emit('started', name, held.id);
    try {
      const delivery = await this.#load(held.id);
      const outcome = delivery && (await attemptDelivery(this.#runtime, delivery));
      if (!outcome) return 'nothing';
      await this.#record({ delivery, outcome });
      const { statusCode, fault, error, durationMs } = outcome;
      const entry = { delivery: held.id, event: delivery.event, attempt: delivery.attempts + 1 };
      log.info({ ...entry, statusCode, fault, durationMs: Math.round(durationMs) }, 'delivery attempted');
      work.emit('completed', name, held.id, durationMs);
      return error === null ? 'success' : 'failure';
    } catch (error) {
      // Nothing was recorded: the lease expires, and the attempt is made again.
      work.emit('failed', name, held.id, error);
      return 'nothing';
    } finally {
      this.#leases.end(held);
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
    this.#puttingOff++;
    this.#follow(this.#delay({ ...held, delayMs }))
      .catch((err) => this.#runtime.log.warn({ delivery: held.id, err }, 'delivery not put off'))
      .finally(() => {
        this.#puttingOff--;
        this.#hasRoom();
      });
  }
}
