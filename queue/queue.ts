import { setImmediate as turn } from 'node:timers/promises';
import { inBatches } from '../core/batches.ts';
import type { Log } from '../core/log.ts';
import type { Transaction } from '../db/connection/database.ts';
import type { ShortTransaction } from '../db/connection/short-transaction.ts';

/** Processes the rows that the queue brings. */
export interface Worker {
  /** How many more rows it can take now. */
  room(): number;
  /**
   * Claims rows and starts to process them.
   * @param hasRoom called whenever there is room again
   * @returns once they are claimed and the queue may delete them
   */
  take(ids: readonly string[], hasRoom: () => void): Promise<void>;
}

/**
 * Brings due rows to a worker within milliseconds. It holds only their ids, each once, and may lose all of them: the row is authoritative,
 * and the promoter hands over due rows that were not brought.
 */
export interface Queue<Name extends string> {
  /**
   * Hands rows that are due now to the workers once the transaction has committed.
   * @param options `bulk` for several at once, which go behind the others
   */
  send(
    trx: Transaction | ShortTransaction,
    name: Name,
    ids: readonly string[],
    options?: { bulk?: boolean },
  ): Promise<void>;
  /** Starts bringing rows to the workers. */
  start(workers: Iterable<readonly [Name, Worker]>): Promise<void>;
  /** Stops bringing rows. */
  stop(): Promise<void>;
}

/** For a short-lived process: the promoter finds the rows that it made due. */
export const noQueue: Queue<string> = { send: async () => {}, start: async () => {}, stop: async () => {} };

const MAX_CONCURRENCY = 200;

/** Where a queue stores ids, and how processes wake each other. */
export interface Store<Name extends string> {
  /** How often to look for ids whose wake-up was lost. */
  pollMs: number;
  add(trx: Transaction | ShortTransaction, name: Name, ids: readonly string[], bulk: boolean): Promise<void>;
  /** Takes up to `limit` ids, hands them over and deletes them. @returns how many there were */
  take(name: Name, limit: number, hand: (ids: readonly string[]) => Promise<void>): Promise<number>;
  wakeOthers?(name: Name): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  hearOthers?(wake: (name?: string) => void): Promise<void>;
  close?(): Promise<void>;
}

/** Brings ids from a store to the workers of this process, with one pump per kind, and wakes the pumps after a commit. */
export function createQueue<Name extends string>(store: Store<Name>, log: Log): Queue<Name> {
  const pumps = new Map<Name, Pump>();
  const wake = (name: Name, count: number) => {
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
      for (const [name, worker] of workers) pumps.set(name, pumpTo(worker, name, store, log));
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
function pumpTo<Name extends string>(worker: Worker, name: Name, store: Store<Name>, log: Log): Pump {
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
