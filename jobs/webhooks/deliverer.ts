import { setTimeout as after } from 'node:timers/promises';
import { type DeliveryToSend, isReachable, loadDeliveries } from '../../db/webhooks/deliveries.ts';
import { inBatches } from '../queue/batches.ts';
import { kinds } from '../queue/kinds.ts';
import { type Claiming, type Held, Leases } from '../queue/leases.ts';
import type { ClaimingWorker } from '../queue/worker.ts';
import { type Attempting, attemptDelivery } from './attempt-delivery.ts';
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
  readonly #load: (id: string) => Promise<DeliveryToSend | undefined>;
  readonly #record: (attempt: Attempt) => Promise<undefined>;
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
    this.#lanes = new DeliveryLanes(
      async (held) => (await this.#leases.run(held, () => this.#attempt(held))) ?? 'nothing',
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
    await this.#leases.drain();
  }

  async #attempt({ id }: Held): Promise<Ending> {
    const delivery = await this.#load(id);
    const outcome = delivery && (await attemptDelivery(this.#runtime, delivery));
    if (!outcome) return 'nothing';
    await this.#record({ delivery, outcome });
    const { statusCode, fault, error, durationMs } = outcome;
    const entry = { delivery: id, event: delivery.event, attempt: delivery.attempts + 1 };
    const answer = { statusCode, fault, durationMs: Math.round(durationMs) };
    this.#runtime.log.info({ ...entry, ...answer }, 'delivery attempted');
    this.#runtime.work.emit('delivery attempted', error === null ? 'success' : (fault ?? 'refused'));
    return error === null ? 'success' : 'failure';
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

  async #putOff(held: Held, delayMs: number): Promise<void> {
    this.#puttingOff++;
    await this.#leases.giveBack(held, delayMs);
    this.#puttingOff--;
    this.#hasRoom();
  }
}
