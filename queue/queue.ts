import { setImmediate as turn } from 'node:timers/promises';
import { inBatches } from '../core/batches.ts';
import { currentParty } from '../core/correlation.ts';
import type { Log } from '../core/log.ts';
import { SERVICE } from '../core/party.ts';
import type { Transaction } from '../db/connection/database.ts';
import type { ShortTransaction } from '../db/connection/short-transaction.ts';

/** Processes the rows that the queue brings. */
export interface Worker {
  /** How many more rows the worker can take now. */
  capacity(): number;
  /**
   * Claims rows and starts to process them.
   * @param onCapacity called whenever the worker can take more rows
   * @returns once the rows are claimed and the queue may delete their ids
   */
  take(ids: readonly string[], onCapacity: () => void): Promise<void>;
}

/**
 * Brings due rows to a worker within milliseconds. It holds only their ids, each once, and may lose all of them: the row is authoritative,
 * and the promoter enqueues due rows that the queue lost.
 */
export interface Queue<Name extends string> {
  /**
   * Brings rows that are due now to the workers once the transaction has committed. When a party has sent many within a second, the promoter
   * brings the rest, in turns with other parties.
   * @param isBehind whether they go behind all others
   */
  send(trx: Transaction | ShortTransaction, name: Name, ids: readonly string[], isBehind?: boolean): Promise<void>;
  /** Starts bringing rows to the workers. */
  start(workers: Iterable<readonly [Name, Worker]>): Promise<void>;
  /** Stops bringing rows. */
  stop(): Promise<void>;
}

/** For a short-lived process: the promoter of the service enqueues the rows that the process made due. */
export const noQueue: Queue<string> = { send: async () => {}, start: async () => {}, stop: async () => {} };

const MAX_BATCH_SIZE = 200;
/** How many rows one party and process send within a time: few beside what the workers take, so that many parties fit. */
const MAX_SENT = 100;
const BURST_MS = 1_000;

/** Where a queue stores ids, and how processes wake each other. */
export interface Store<Name extends string> {
  /** How often to poll for ids whose wake-up was lost. */
  pollMs: number;
  add(trx: Transaction | ShortTransaction, name: Name, ids: readonly string[], bulk: boolean): Promise<void>;
  /** Delivers up to `limit` ids and deletes them. @returns how many there were */
  fetch(name: Name, limit: number, deliver: (ids: readonly string[]) => Promise<void>): Promise<number>;
  notifyOthers?(name: Name): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  listen?(wake: (name?: string) => void): Promise<void>;
  close?(): Promise<void>;
}

/** Brings ids from a store to the workers of this process, with one pump per kind, and wakes the pumps after a commit. */
export function createQueue<Name extends string>(store: Store<Name>, log: Log): Queue<Name> {
  const pumps = new Map<Name, Pump>();
  const allowance = allowances();
  const wake = (name: Name, count: number) => {
    const pump = pumps.get(name);
    pump?.wake();
    if (!pump?.hasCapacityFor(count)) store.notifyOthers?.(name);
  };
  return {
    async send(trx, name, ids, isBehind = false) {
      const sent = ids.slice(0, allowance(ids.length));
      if (sent.length === 0) return;
      // A process woken before the commit would find nothing.
      trx.executionPromise.then(
        () => wake(name, sent.length),
        () => {},
      );
      await store.add(trx, name, sent, isBehind);
    },
    async start(workers) {
      for (const [name, worker] of workers) pumps.set(name, pumpTo(worker, name, store, log));
      if (pumps.size === 0) return;
      await store.listen?.((named) => {
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

/** Counts what each party sends. @returns how many more of `count` it may send; the service itself sends few, and in turns */
function allowances(): (count: number) => number {
  let [sent, until] = [new Map<string, number>(), 0];
  return (count) => {
    const party = currentParty();
    if (party === SERVICE) return count;
    const now = performance.now();
    if (now >= until) [sent, until] = [new Map(), now + BURST_MS];
    const before = sent.get(party.name) ?? 0;
    const allowed = Math.min(count, MAX_SENT - before);
    sent.set(party.name, before + allowed);
    return allowed;
  };
}

interface Pump {
  wake(): void;
  /** Whether `count` more ids can start immediately. */
  hasCapacityFor(count: number): boolean;
  stop(): Promise<unknown>;
}

/** Brings the ids of one kind to its worker, as many as the worker can take (back-pressure). */
function pumpTo<Name extends string>(worker: Worker, name: Name, store: Store<Name>, log: Log): Pump {
  let isStopped = false;
  /** The last poll ended because the worker was full. */
  let isFull = false;
  const onCapacity = () => {
    if (isFull) wake();
  };
  const poll = async (): Promise<void> => {
    for (let taken = 0, limit = 0; taken === limit && !isStopped; ) {
      // Tasks that end in the same turn free their capacity together.
      await turn();
      limit = Math.min(worker.capacity(), MAX_BATCH_SIZE);
      isFull = limit <= 0;
      if (isFull) return;
      taken = await store.fetch(name, limit, (ids) => worker.take(ids, onCapacity));
    }
  };
  /** Wake-ups that arrive during a poll cause one more. */
  const pollOnce = inBatches(() => poll().catch((err) => log.error({ job: name, err }, 'queue poll failed')), {
    size: Number.POSITIVE_INFINITY,
  });
  const wake = () => void pollOnce(undefined);
  const timer = setInterval(wake, store.pollMs);
  wake();
  return {
    wake,
    hasCapacityFor: (count) => !isStopped && !isFull && worker.capacity() >= count,
    stop() {
      isStopped = true;
      clearInterval(timer);
      return pollOnce(undefined);
    },
  };
}
