import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { inBatches } from '../../core/batches.ts';
import { correlated } from '../../core/correlation.ts';
import { idsOf } from '../../core/ids.ts';
import { type RetryPolicy, retryDelay } from '../../core/rules/retry-delay.ts';
import { isoAfter } from '../../core/time.ts';
import {
  CLOCK_DIFFERENCE_MS,
  type ClaimedWork,
  claimWork,
  dueAt,
  extendLeases,
  giveBack,
  recordFailure,
} from '../../db/work/work.ts';
import type { Runtime } from '../runtime.ts';
import { type JobName, type Kind, kinds } from './kinds.ts';
import { type Ending, type LanePolicy, Lanes } from './lanes.ts';
import type { Worker } from './queue.ts';

/** A heartbeat extends leases while work continues, so that only a dead process lets them expire. */
const LEASE_MS = 15_000;

/** What claiming and retrying need of the service. */
export type Claiming = Pick<Runtime, 'db' | 'now' | 'log' | 'work'>;

/** Throws when the work fails. @returns the outcome for its lane; a success by default */
type Work = (id: string) => Promise<Ending> | Promise<void>;

/** Identifies the process to operators; unique. */
export const newLeaseName = () => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/**
 * Processes the rows of one kind that the queue brings:
 * 1. claim: lease the rows that no other process claimed first. Without lanes, a few at once; with lanes, all that the queue brings, so
 *    that it never holds up one lane behind another;
 * 2. with lanes, wait in the row's lane. When the lane is full, postpone the row: it is due again later, without counting an attempt;
 * 3. process it: the work records the next step in the row. When it fails, schedule the next attempt;
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
  /** Rows that are being processed or postponed. */
  readonly #underWay = new Set<Promise<unknown>>();
  #puttingOff = 0;
  #hasRoom = () => {};
  /** Stops waiting for something to recover. */
  isDraining = false;

  constructor(runtime: Claiming, name: JobName, work: Work, policy?: LanePolicy) {
    this.#runtime = runtime;
    this.#name = name;
    this.#kind = kinds[name];
    this.#work = work;
    const { db, log } = runtime;
    const extend = () => this.#extendLeases().catch((err) => log.warn({ job: name, err }, 'leases not extended'));
    this.#heartbeat = setInterval(extend, LEASE_MS / 3).unref();
    this.#giveBack = inBatches((given) => giveBack(db, this.#kind.table, this.#lease, given));
    if (policy)
      this.#lanes = new Lanes(
        policy,
        // The lease may have been lost while the row waited.
        async (row) => (this.#holds(row) ? this.#run(row) : 'nothing'),
        (row, delayMs) => this.#putOff(row, delayMs),
      );
  }

  /** Lanes postpone rows for which they have no room, which limits how many more are claimed meanwhile. */
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

  /** Releases waiting rows, and waits for running work. */
  async drain(): Promise<void> {
    this.isDraining = true;
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

  /** A no-op once the lease is lost, because the row then belongs to another process. */
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
    // Nothing was recorded: the lease expires, and the work is repeated.
    await recordFailure(db, table, { id, lease: this.#lease }, failure).catch((err) =>
      log.error({ job: this.#name, err }, 'failure not recorded'),
    );
  }

  /** Makes a row available to any process after `delayMs`. */
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
    // Work that ended in the meantime has lost nothing.
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
