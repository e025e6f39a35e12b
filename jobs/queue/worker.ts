import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import { inBatches } from '../../core/batches.ts';
import { correlated } from '../../core/correlation.ts';
import { idsOf } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { type RetryPolicy, retryDelay } from '../../core/rules/retry-delay.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import {
  CLOCK_DIFFERENCE_MS,
  type ClaimedWork,
  claimWork,
  dueAt,
  extendLeases,
  giveBack,
  recordFailure,
} from '../../db/work/work.ts';
import { type JobName, type Kind, kinds } from './kinds.ts';
import { type Ending, type LanePolicy, Lanes } from './lanes.ts';
import type { WorkEvents, Worker } from './queue.ts';

/** A heartbeat extends leases while their work goes on, so that only a dead process lets them expire. */
const LEASE_MS = 15_000;

/** What claiming and retrying need of the service. */
export interface Claiming {
  db: Database;
  now: Clock;
  log: Log;
  work: EventEmitter<WorkEvents>;
}

/** Throws when the work fails. @returns what its lane learns; a success unless told otherwise */
type Work = (id: string) => Promise<Ending> | Promise<void>;

/** Names the process for operators; no two are alike. */
export const newLeaseName = () => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/**
 * Works on the rows of one kind that the queue brings:
 * 1. claim: lease those that no other process was faster to claim. Without lanes a few at once; with lanes all that the queue brings,
 *    so that it never holds up one lane behind another;
 * 2. with lanes, wait in that of the row, or put the row off when the lane is full: it is due again later, and no attempt is spent;
 * 3. work on it: the work records in the row what is next. When it fails, plan the next attempt;
 * 4. meanwhile, a heartbeat extends the leases together, and drops those that were lost (paused, redelivered, reclaimed).
 * The leases of a process that dies expire, and the promoter hands the rows over again.
 */
export class ClaimingWorker implements Worker {
  readonly #runtime: Claiming;
  readonly #name: JobName;
  readonly #kind: Kind;
  readonly #work: Work;
  readonly #lease = newLeaseName();
  readonly #held = new Map<string, ClaimedWork>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #giveBack: (given: { id: string; dueAt: string }) => Promise<undefined>;
  readonly #lanes: Lanes<ClaimedWork> | undefined;
  /** Rows that are worked on or put off. */
  readonly #underWay = new Set<Promise<unknown>>();
  #puttingOff = 0;
  #hasRoom = () => {};

  constructor(runtime: Claiming, name: JobName, work: Work, policy?: LanePolicy) {
    this.#runtime = runtime;
    this.#name = name;
    this.#kind = kinds[name];
    this.#work = work;
    const { db, log } = runtime;
    const extend = () => this.#extendLeases().catch((err) => log.warn({ job: name, err }, 'leases not extended'));
    this.#heartbeat = setInterval(extend, LEASE_MS / 3).unref();
    this.#giveBack = inBatches(async (given) => {
      await giveBack(db, this.#kind.table, this.#lease, given);
      return [];
    });
    if (policy)
      this.#lanes = new Lanes(
        policy,
        // The lease may have been lost while the row waited.
        async (row) => (this.#holds(row) ? this.#run(row) : 'nothing'),
        (row, delayMs) => this.#putOff(row, delayMs),
      );
  }

  /** Lanes put off what they have no room for, which limits how many more are claimed meanwhile. */
  room(): number {
    return this.#kind.concurrency - (this.#lanes ? this.#puttingOff : this.#underWay.size);
  }

  async take(ids: readonly string[], hasRoom: () => void): Promise<void> {
    this.#hasRoom = hasRoom;
    const { db, now, work: events } = this.#runtime;
    const moment = now();
    const [dueBefore, until] = [isoAfter(moment, CLOCK_DIFFERENCE_MS), isoAfter(moment, LEASE_MS)];
    for (const row of await claimWork(db, this.#kind.table, ids, { dueBefore, lease: this.#lease, until })) {
      const former = this.#held.get(row.id);
      if (former) this.#lose(former);
      this.#held.set(row.id, row);
      events.emit('claimed', this.#name, row.id);
      if (this.#lanes) this.#lanes.add(row.lane ?? '', row);
      else this.#run(row).then(hasRoom);
    }
  }

  /** Gives back what waits, and waits for the work that goes on. */
  async drain(): Promise<void> {
    for (const row of this.#lanes?.clear() ?? []) this.#putOff(row, 0);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    clearInterval(this.#heartbeat);
  }

  #run(row: ClaimedWork): Promise<Ending> {
    const { work: events } = this.#runtime;
    const [startedAt, { retry }] = [performance.now(), this.#kind];
    const run = async (): Promise<Ending> => {
      events.emit('started', this.#name, row.id);
      try {
        const ending = await this.#work(row.id);
        events.emit('completed', this.#name, row.id, performance.now() - startedAt);
        return ending ?? 'success';
      } catch (error) {
        events.emit('failed', this.#name, row.id, error);
        if (retry && this.#holds(row)) await this.#planNext(row, error, retry);
        return retry ? 'failure' : 'nothing';
      } finally {
        this.#drop(row);
      }
    };
    return this.#follow(correlated(row.correlation_id ?? randomUUID(), run));
  }

  /** A no-op once the lease is lost: the row belongs to another process then. */
  async #planNext({ id, failures: former }: ClaimedWork, error: unknown, retry: RetryPolicy): Promise<void> {
    const { db, now, log } = this.#runtime;
    const { table, isOver, reason = String, forgotten } = this.#kind;
    const [moment, failures] = [now(), former + 1];
    const delayMs = isOver?.(error) ? undefined : retryDelay(retry, { failures });
    const next =
      delayMs === undefined
        ? { ...dueAt(null), status: 'failed' as const, finished_at: moment.toISOString(), ...forgotten }
        : dueAt(isoAfter(moment, delayMs));
    const failure = { failures, failure: reason(error), ...next };
    // Nothing recorded: the lease expires, and the work is done again.
    await recordFailure(db, table, { id, lease: this.#lease }, failure).catch((err) =>
      log.error({ job: this.#name, err }, 'failure not recorded'),
    );
  }

  /** Leaves a row to any process, from `delayMs` on. */
  async #putOff(row: ClaimedWork, delayMs: number): Promise<void> {
    if (!this.#holds(row)) return;
    const { now, log } = this.#runtime;
    this.#drop(row);
    this.#puttingOff++;
    const given = this.#giveBack({ id: row.id, dueAt: isoAfter(now(), delayMs) });
    await this.#follow(given.catch((err) => log.warn({ job: this.#name, id: row.id, err }, 'not given back')));
    this.#puttingOff--;
    this.#hasRoom();
  }

  async #extendLeases(): Promise<void> {
    const { db, now } = this.#runtime;
    const rows = [...this.#held.values()];
    const until = isoAfter(now(), LEASE_MS);
    const kept = new Set(await extendLeases(db, this.#kind.table, this.#lease, idsOf(rows), until));
    // Work that ended meanwhile lost nothing.
    for (const row of rows) if (!kept.has(row.id) && this.#holds(row)) this.#lose(row);
  }

  #holds(row: ClaimedWork): boolean {
    return this.#held.get(row.id) === row;
  }

  #drop(row: ClaimedWork): void {
    if (this.#holds(row)) this.#held.delete(row.id);
  }

  #lose(row: ClaimedWork): void {
    this.#drop(row);
    this.#runtime.work.emit('lease lost', this.#name, row.id);
  }

  #follow<Result>(work: Promise<Result>): Promise<Result> {
    const followed = work.finally(() => this.#underWay.delete(followed));
    this.#underWay.add(followed);
    return followed;
  }
}
