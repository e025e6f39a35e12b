import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import type { Log } from '../../core/log.ts';
import { retryDelay } from '../../core/rules/retry-delay.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import {
  CLOCK_DIFFERENCE_MS,
  claimWork,
  dueAt,
  extendLeases,
  giveBack,
  type HeldLease,
  lockLeased,
  recordFailure,
} from '../../db/work/work.ts';
import { kinds } from './kinds.ts';
import type { JobName, WorkEvents } from './queue.ts';

/** A heartbeat extends leases while their work goes on, so that only a dead process lets them expire. */
export const LEASE_MS = 15_000;

/** A row that this process works on. */
export interface Held extends HeldLease {
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
export const PROCESS = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
let claimsMade = 0;

/**
 * The leases of one kind of work in this process:
 * 1. claim: of the rows that are due, those that no other process was faster to claim;
 * 2. heartbeat: extend the leases together, and drop those that were lost (paused, redelivered, reclaimed);
 * 3. end: the work recorded in its row what is next, or `fail` plans the next attempt with back-off or gives the row up, or `giveBack`
 *    leaves it to others and spends no attempt.
 * A process that dies does none of it: its leases expire, and the promoter hands the rows over again.
 */
export class Leases {
  readonly name: JobName;
  readonly #runtime: Claiming;
  readonly #held = new Map<string, Held>();
  readonly #onLost: (lost: Held) => void;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(runtime: Claiming, name: JobName, onLost: (lost: Held) => void = () => {}) {
    this.#runtime = runtime;
    this.name = name;
    this.#onLost = onLost;
    const extend = () => this.#extend().catch((err) => runtime.log.warn({ job: name, err }, 'leases not extended'));
    this.#heartbeat = setInterval(extend, LEASE_MS / 3).unref();
  }

  async claim(ids: readonly string[]): Promise<Held[]> {
    const { db, now, work } = this.#runtime;
    const lease = `${PROCESS}/${++claimsMade}`;
    const [moment, { table }] = [now(), kinds[this.name]];
    const dueBefore = isoAfter(moment, CLOCK_DIFFERENCE_MS);
    const rows = await claimWork(db, table, ids, { dueBefore, lease, until: isoAfter(moment, LEASE_MS) });
    return rows.map(({ id, correlation_id, webhook_id = '' }) => {
      const held = { id, lease, webhook_id, correlationId: correlation_id ?? randomUUID() };
      const former = this.#held.get(id);
      if (former) this.#lose(former);
      this.#held.set(id, held);
      work.emit('claimed', this.name, id);
      return held;
    });
  }

  /** The row says what is next. */
  end({ id, lease }: HeldLease): void {
    if (this.#held.get(id)?.lease === lease) this.#held.delete(id);
  }

  /** @param held with `delayMs` until each is due again */
  async giveBack(held: readonly (HeldLease & { delayMs: number })[]): Promise<void> {
    const { db, now } = this.#runtime;
    for (const each of held) this.end(each);
    const given = held.map(({ id, lease, delayMs }) => ({ id, lease, dueAt: isoAfter(now(), delayMs) }));
    await giveBack(db, kinds[this.name].table, given);
  }

  /** A no-op once the lease is lost: the row belongs to another process then. */
  async fail(held: HeldLease, error: unknown): Promise<void> {
    const { db, now } = this.#runtime;
    const { table, retry, isOver, reason = String, forgotten } = kinds[this.name];
    await db.transaction(async (trx) => {
      const formerFailures = await lockLeased(trx, table, held);
      if (formerFailures === undefined) return;
      const [moment, failures] = [now(), formerFailures + 1];
      const delayMs = isOver?.(error) ? undefined : retryDelay(retry, { failures });
      const next =
        delayMs === undefined
          ? { ...dueAt(null), status: 'failed' as const, finished_at: moment.toISOString(), ...forgotten }
          : dueAt(isoAfter(moment, delayMs));
      await recordFailure(trx, table, held.id, { failures, failure: reason(error), ...next });
    });
  }

  /** Extends no more leases. */
  close(): void {
    clearInterval(this.#heartbeat);
  }

  async #extend(): Promise<void> {
    const { db, now } = this.#runtime;
    const all = [...this.#held.values()];
    const kept = await extendLeases(db, kinds[this.name].table, all, isoAfter(now(), LEASE_MS));
    // Work that ended meanwhile lost nothing.
    for (const held of all) if (!kept.has(held.id) && this.#held.get(held.id) === held) this.#lose(held);
  }

  #lose(held: Held): void {
    this.end(held);
    this.#runtime.work.emit('lease lost', this.name, held.id);
    this.#onLost(held);
  }
}
