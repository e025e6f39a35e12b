import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import { correlated } from '../../core/correlation.ts';
import { idsOf } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import { CLOCK_DIFFERENCE_MS, claimWork, extendLeases, giveBack } from '../../db/work/work.ts';
import { inBatches } from './batches.ts';
import { type JobName, kinds } from './kinds.ts';
import type { WorkEvents } from './queue.ts';

/** A heartbeat extends leases while their work goes on, so that only a dead process lets them expire. */
export const LEASE_MS = 15_000;
const MOST_IN_A_BATCH = 200;

/** A row that this process works on. */
export interface Held {
  id: string;
  failures: number;
  correlationId: string;
  /** The webhook of a delivery. */
  webhook_id: string;
}

/** What claiming and retrying need of the service. */
export interface Claiming {
  db: Database;
  now: Clock;
  log: Log;
  work: EventEmitter<WorkEvents>;
}

/** Names the process for operators; no two are alike. */
export const newLeaseName = () => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/**
 * The leases of one kind of work in this process, and the work under them:
 * 1. claim: of the rows that are due, those that no other process was faster to claim;
 * 2. heartbeat: extend the leases together, and drop those that were lost (paused, redelivered, reclaimed);
 * 3. run: the work records in the row what is next; or give back: others may have the row, and no attempt is spent.
 * A process that dies does none of it: its leases expire, and the promoter hands the rows over again.
 */
export class Leases {
  readonly lease = newLeaseName();
  readonly #name: JobName;
  readonly #runtime: Claiming;
  readonly #held = new Map<string, Held>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #onLost: (lost: Held) => void;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #giveBack: (given: { id: string; dueAt: string }) => Promise<undefined>;

  constructor(runtime: Claiming, name: JobName, onLost: (lost: Held) => void = () => {}) {
    const { db, log } = runtime;
    this.#runtime = runtime;
    this.#name = name;
    this.#onLost = onLost;
    const extend = () => this.#extend().catch((err) => log.warn({ job: name, err }, 'leases not extended'));
    this.#heartbeat = setInterval(extend, LEASE_MS / 3).unref();
    this.#giveBack = inBatches(MOST_IN_A_BATCH, async (given) => {
      await giveBack(db, kinds[name].table, this.lease, given);
      return [];
    });
  }

  /** How many rows are worked on or given back. */
  get underWay(): number {
    return this.#underWay.size;
  }

  async claim(ids: readonly string[]): Promise<Held[]> {
    const { db, now, work } = this.#runtime;
    const [moment, { table }] = [now(), kinds[this.#name]];
    const dueBefore = isoAfter(moment, CLOCK_DIFFERENCE_MS);
    const until = isoAfter(moment, LEASE_MS);
    const rows = await claimWork(db, table, ids, { dueBefore, lease: this.lease, until });
    return rows.map(({ id, failures, correlation_id, webhook_id = '' }) => {
      const held = { id, failures, webhook_id, correlationId: correlation_id ?? randomUUID() };
      const former = this.#held.get(id);
      if (former) this.#lose(former);
      this.#held.set(id, held);
      work.emit('claimed', this.#name, id);
      return held;
    });
  }

  /** @param onFailure plans the next attempt; without it the lease expires, and the work is done again @returns undefined when it failed */
  run<Result>(
    held: Held,
    work: () => Promise<Result>,
    onFailure: (error: unknown) => Promise<void> = async () => {},
  ): Promise<Result | undefined> {
    const events = this.#runtime.work;
    const startedAt = performance.now();
    const run = async () => {
      events.emit('started', this.#name, held.id);
      try {
        const result = await work();
        events.emit('completed', this.#name, held.id, performance.now() - startedAt);
        return result;
      } catch (error) {
        events.emit('failed', this.#name, held.id, error);
        if (this.#held.get(held.id) === held) await onFailure(error);
        return undefined;
      } finally {
        this.#end(held);
      }
    };
    return this.#follow(correlated(held.correlationId, run));
  }

  /** Leaves a row to any process, from `delayMs` on. */
  giveBack(held: Held, delayMs: number): Promise<void> {
    const { now, log } = this.#runtime;
    this.#end(held);
    const given = this.#giveBack({ id: held.id, dueAt: isoAfter(now(), delayMs) });
    return this.#follow(given.catch((err) => log.warn({ job: this.#name, id: held.id, err }, 'not given back')));
  }

  /** Waits for what is under way. */
  async drain(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    clearInterval(this.#heartbeat);
  }

  #follow<Result>(work: Promise<Result>): Promise<Result> {
    const followed = work.finally(() => this.#underWay.delete(followed));
    this.#underWay.add(followed);
    return followed;
  }

  async #extend(): Promise<void> {
    const { db, now } = this.#runtime;
    const all = [...this.#held.values()];
    const until = isoAfter(now(), LEASE_MS);
    const kept = new Set(await extendLeases(db, kinds[this.#name].table, this.lease, idsOf(all), until));
    // Work that ended meanwhile lost nothing.
    for (const held of all) if (!kept.has(held.id) && this.#held.get(held.id) === held) this.#lose(held);
  }

  #end(held: Held): void {
    if (this.#held.get(held.id) === held) this.#held.delete(held.id);
  }

  #lose(held: Held): void {
    this.#end(held);
    this.#runtime.work.emit('lease lost', this.#name, held.id);
    this.#onLost(held);
  }
}
