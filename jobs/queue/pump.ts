import { setImmediate as turn } from 'node:timers/promises';
import { inBatches } from '../../core/batches.ts';
import type { Log } from '../../core/log.ts';
import type { Transaction } from '../../db/connection/database.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import { type JobName, jobNames } from './kinds.ts';
import type { Queue, Worker } from './queue.ts';

const MAX_CONCURRENCY = 200;

/** Where a queue stores ids, and how processes wake each other. */
export interface Store {
  /** How often to look for ids whose wake-up was lost. */
  pollMs: number;
  add(trx: Transaction | ShortTransaction, name: JobName, ids: readonly string[], bulk: boolean): Promise<void>;
  /** Takes up to `limit` ids, hands them over and deletes them. @returns how many there were */
  take(name: JobName, limit: number, hand: (ids: readonly string[]) => Promise<void>): Promise<number>;
  wakeOthers?(name: JobName): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  hearOthers?(wake: (name?: string) => void): Promise<void>;
  close?(): Promise<void>;
}

/** Brings ids from a store to the workers of this process, with one pump per kind, and wakes the pumps after a commit. */
export function createQueue(store: Store, log: Log): Queue {
  const pumps = new Map<string, Pump>();
  const wake = (name: JobName, count: number) => {
    const pump = pumps.get(name);
    pump?.wake();
    if (!pump?.hasRoomFor(count)) store.wakeOthers?.(name);
  };
  return {
    async send(trx, name, ids, { bulk = false } = {}) {
      // A process woken before the commit would find nothing.
      trx.executionPromise.then(
        () => wake(name, ids.length),
        () => {},
      );
      await store.add(trx, name, ids, bulk);
    },
    async start(workers) {
      for (const name of jobNames) {
        const worker = workers[name];
        if (worker) pumps.set(name, pumpTo(worker, name, store, log));
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

interface Pump {
  wake(): void;
  /** Whether `count` more ids can start immediately. */
  hasRoomFor(count: number): boolean;
  stop(): Promise<unknown>;
}

/** Brings the ids of one kind to its worker, as many as it has room for. */
function pumpTo(worker: Worker, name: JobName, store: Store, log: Log): Pump {
  let isStopped = false;
  /** The last poll ended for lack of room. */
  let isFull = false;
  const hasRoom = () => {
    if (isFull) wake();
  };
  const look = async (): Promise<void> => {
    for (let taken = 0, limit = 0; taken === limit && !isStopped; ) {
      // Tasks that end in the same turn free their room together.
      await turn();
      limit = Math.min(worker.room(), MAX_CONCURRENCY);
      isFull = limit <= 0;
      if (isFull) return;
      taken = await store.take(name, limit, (ids) => worker.take(ids, hasRoom));
    }
  };
  /** Wake-ups that arrive during a poll cause one more. */
  const lookInBatches = inBatches(
    () => look().catch((err) => log.error({ job: name, err }, 'queue error')),
    Number.POSITIVE_INFINITY,
  );
  const wake = () => void lookInBatches(undefined);
  const timer = setInterval(wake, store.pollMs);
  wake();
  return {
    wake,
    hasRoomFor: (count) => !isStopped && !isFull && worker.room() >= count,
    stop() {
      isStopped = true;
      clearInterval(timer);
      return lookInBatches(undefined);
    },
  };
}
