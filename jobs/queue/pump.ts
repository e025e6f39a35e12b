import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import { type JobName, jobNames } from './kinds.ts';
import type { Queue, Worker } from './queue.ts';

const MOST_IN_A_BATCH = 200;

/** Where a queue keeps ids, and how processes wake each other. */
export interface Store {
  /** How often to look for ids whose wake-up was lost. */
  pollMs: number;
  add(trx: Transaction | ShortTransaction, name: JobName, ids: readonly string[], bulk: boolean): Promise<void>;
  /** Takes up to `limit` ids, hands them over and forgets them. @returns how many there were */
  take(name: JobName, limit: number, hand: (ids: readonly string[]) => Promise<void>): Promise<number>;
  wakeOthers?(name: JobName): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  hearOthers?(wake: (name?: string) => void): Promise<void>;
  close?(): Promise<void>;
}

/** Brings ids from a store to the workers of this process, one pump for each kind, and wakes the pumps after a commit. */
export function createQueue(store: Store, log: Log): Queue {
  const pumps = new Map<string, Pump>();
  const wake = (name: JobName, count: number) => {
    const pump = pumps.get(name);
    pump?.wake();
    if (!pump?.hasRoomFor(count)) store.wakeOthers?.(name);
  };
  return {
    async send(trx, name, ids, { bulk = false } = {}) {
      // Before the commit, a woken process would find nothing.
      trx.executionPromise.then(
        () => wake(name, ids.length),
        () => {},
      );
      await store.add(trx, name, ids, bulk);
    },
    async start(workers) {
      for (const name of jobNames) {
        const worker = workers[name];
        if (worker) pumps.set(name, new Pump(store, { name, worker, log }));
      }
      if (pumps.size === 0) return;
      await store.hearOthers?.((named) => {
        for (const [name, pump] of pumps) if (named === undefined || named === name) pump.wake();
      });
    },
    async stop() {
      await Promise.all([...pumps.values()].map((pump) => pump.stop()));
      pumps.clear();
      await store.close?.();
    },
  };
}

/** Brings the ids of one kind to its worker, as many as it has room for. */
class Pump {
  readonly #store: Store;
  readonly #options: { name: JobName; worker: Worker; log: Log };
  readonly #timer: NodeJS.Timeout;
  #isWanted = false;
  #looking: Promise<void> | undefined;
  /** The last look ended for lack of room. */
  #isFull = false;
  #isStopped = false;

  constructor(store: Store, options: { name: JobName; worker: Worker; log: Log }) {
    this.#store = store;
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), store.pollMs);
    this.wake();
  }

  /** Whether `count` more ids can start at once. */
  hasRoomFor(count: number): boolean {
    return !this.#isStopped && !this.#isFull && this.#options.worker.room() >= count;
  }

  wake(): void {
    this.#isWanted = true;
    if (this.#isStopped || this.#looking) return;
    const { log, name } = this.#options;
    this.#looking = this.#look()
      .catch((err) => log.error({ job: name, err }, 'queue error'))
      .finally(() => {
        this.#looking = undefined;
        if (this.#isWanted) this.wake();
      });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { name, worker } = this.#options;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      // Work that ends in the same turn frees its room together.
      await turn();
      const limit = Math.min(worker.room(), MOST_IN_A_BATCH);
      this.#isFull = limit <= 0;
      if (limit <= 0) return;
      const taken = await this.#store.take(name, limit, (ids) => worker.take(ids, this.#hasRoom));
      this.#isWanted ||= taken === limit;
    }
  }

  readonly #hasRoom = (): void => {
    if (this.#isFull) this.wake();
  };
}
