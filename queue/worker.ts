import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { inBatches } from '../core/batches.ts';
import { correlated } from '../core/correlation.ts';
import { Overloaded } from '../core/errors.ts';
import { idsOf } from '../core/ids.ts';
import { type Party, partyOfKey, UNKNOWN_KEY } from '../core/party.ts';
import { type RetryPolicy, retryDelay } from '../core/rules/retry-delay.ts';
import { isoAfter } from '../core/time.ts';
import { claimInTurn } from '../db/work/in-turn.ts';
import {
  CLOCK_DIFFERENCE_MS,
  type ClaimedWork,
  claimWork,
  countSuspectStart,
  dueAt,
  extendLeases,
  forgetExpiries,
  givenUp,
  type Lease,
  recordFailure,
  releaseLeases,
} from '../db/work/work.ts';
import type { Kind, QueueContext } from './kind.ts';
import type { Ending, LanePolicy } from './lane-policy.ts';
import { Lanes } from './lanes.ts';
import { MIN_SUSPECT_EXPIRIES } from './promoter.ts';
import type { Worker } from './queue.ts';

/** A heartbeat extends leases while work continues, so that only a dead process lets them expire. */
const LEASE_MS = 15_000;

/** How long work waits that ended and left its row leased, such as a delivery for which this machine had no descriptor to spare. */
const UNDONE_MS = 15_000;

/** Throws when the work fails and is to be retried. */
export type Work = (id: string) => Promise<Ending | Postponed>;

/** Nothing was tried: the row is due again after `delayMs`, without counting an attempt. */
export interface Postponed {
  delayMs: number;
}

/** One kind of work, and how this process does it. */
export interface Job<Name extends string> {
  name: Name;
  kind: Kind;
  turns: TurnPolicy;
  /** @param stopping aborts when the process stops: the work must not wait any longer for something to recover */
  begin(stopping: AbortSignal): Work;
}

/**
 * How the rows of a kind take turns between API keys:
 * - `lanes`: the process claims all that the queue brings and decides their order. For short work of which there may be a lot.
 * - `claimed`: it claims only what it starts at once, from the keys in turn, so that other processes find the rest. For long work.
 */
export type TurnPolicy = { lanes: LanePolicy } | { claimed: { atOnce: number; ofOneKey: number } };

/** Identifies the process to operators; unique. */
export const newLeaseName = () => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/**
 * Processes the rows of one kind that the queue brings:
 * 1. claim: lease the rows that no other process claimed first, by the kind's `TurnPolicy`;
 * 2. with lanes, wait for a turn. When the lane is full, postpone the row: it is due again later, without counting an attempt;
 * 3. process it, for the row's API key: the work records the next step in the row. When it fails, schedule the next attempt. However it
 *    ends, it did not kill this worker: its lease ends with it, and former leases that expired no longer count;
 * 4. meanwhile, a heartbeat extends the leases together, and drops rows whose lease was lost (paused, redelivered, reclaimed).
 * When a process dies, its leases expire and the promoter enqueues the rows again.
 */
export class ClaimingWorker<Name extends string> implements Worker {
  readonly #context: QueueContext<Name>;
  readonly #name: Name;
  readonly #kind: Kind;
  readonly #work: Work;
  readonly #lease = newLeaseName();
  readonly #held = new Map<string, ClaimedWork>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #release: (row: { id: string; dueAt: string }) => Promise<undefined>;
  readonly #acquit: (id: string) => Promise<undefined>;
  readonly #turns: TurnPolicy;
  readonly #lanes: Lanes<ClaimedWork> | undefined;
  /** One claim at a time: two would start more than there is capacity for. */
  readonly #takeInTurn: (asked: undefined) => Promise<unknown>;
  /** The key whose row was claimed last, where keys are claimed in turn. */
  #lastKey = '';
  readonly #stopping = new AbortController();
  /** Rows that are being processed or postponed. */
  readonly #inFlight = new Set<Promise<unknown>>();
  /** Claims under way: they may still bring rows while the process stops. */
  readonly #claims = new Set<Promise<unknown>>();
  #postponing = 0;
  /** The end of the last suspect: suspects run one at a time, so that one of them does not count as another's death. */
  #suspects: Promise<unknown> = Promise.resolve();
  #onCapacity = () => {};

  constructor(context: QueueContext<Name>, { name, kind, turns, begin }: Job<Name>) {
    this.#context = context;
    this.#name = name;
    this.#kind = kind;
    this.#turns = turns;
    this.#work = begin(this.#stopping.signal);
    const { db, log } = context;
    const extend = () => this.#extendLeases().catch((err) => log.warn({ job: name, err }, 'leases not extended'));
    this.#heartbeat = setInterval(extend, LEASE_MS / 3).unref();
    this.#takeInTurn = inBatches(async () => {
      if ('claimed' in turns) await this.#claimInTurn(turns.claimed);
    });
    this.#release = inBatches((rows) => releaseLeases(db, kind.table, this.#lease, rows));
    this.#acquit = inBatches((ids) => forgetExpiries(db, kind.table, this.#lease, ids));
    if ('lanes' in turns)
      this.#lanes = new Lanes(
        turns.lanes,
        // The lease may have been lost while the row waited.
        async (row) => (this.#holds(row) ? this.#run(row) : 'nothing'),
        (row, delayMs) => this.#postpone(row, delayMs),
      );
  }

  /** With lanes, only rows that are being postponed use capacity, which limits how many more are claimed meanwhile. */
  capacity(): number {
    if ('claimed' in this.#turns) return this.#turns.claimed.atOnce - this.#inFlight.size;
    return this.#kind.concurrency - this.#postponing;
  }

  async take(ids: readonly string[], onCapacity: () => void): Promise<void> {
    this.#onCapacity = onCapacity;
    if ('lanes' in this.#turns) await this.#follow(this.#claimGiven(ids), this.#claims);
    else await this.#takeNext();
  }

  /** Rows of a claim that was under way when the process stopped are given back. */
  #begin(claimed: readonly ClaimedWork[]): void {
    for (const row of claimed) {
      const former = this.#held.get(row.id);
      if (former) this.#lose(former);
      this.#held.set(row.id, row);
      if (this.#stopping.signal.aborted) {
        void this.#postpone(row, 0);
        continue;
      }
      this.#context.work.emit('claimed', this.#name, row.id);
      if (this.#lanes) this.#lanes.add({ party: partyOf(row), lane: row.lane ?? '' }, row);
      else void this.#run(row).then(() => this.#goOn());
    }
  }

  /** The ids of rows that were passed over are no longer in the queue. */
  async #goOn(): Promise<void> {
    const { log } = this.#context;
    await this.#takeNext().catch((err) => log.error({ job: this.#name, err }, 'work not claimed'));
    this.#onCapacity();
  }

  async #claimGiven(ids: readonly string[]): Promise<void> {
    this.#begin(await claimWork(this.#context.db, this.#kind.table, ids, this.#newLease()));
  }

  #takeNext(): Promise<unknown> {
    return this.#follow(this.#takeInTurn(undefined), this.#claims);
  }

  #newLease(): Lease {
    const moment = this.#context.now();
    return { dueBefore: isoAfter(moment, CLOCK_DIFFERENCE_MS), lease: this.#lease, until: isoAfter(moment, LEASE_MS) };
  }

  /**
   * The ids of the queue only say that there is something: which rows come next depends on the keys. Each claim brings one row of a key, so
   * a key that is alone gets its share in several.
   */
  async #claimInTurn({ atOnce, ofOneKey }: { atOnce: number; ofOneKey: number }): Promise<void> {
    let isMore = true;
    while (isMore && !this.#stopping.signal.aborted && this.#inFlight.size < atOnce) {
      const running = [...Map.groupBy(this.#held.values(), ({ party }) => party ?? UNKNOWN_KEY)];
      const busy = running.flatMap(([key, rows]) => (rows.length >= ofOneKey ? [key] : []));
      const turn = { after: this.#lastKey, busy, limit: atOnce - this.#inFlight.size };
      const { claimed, lastKey } = await claimInTurn(this.#context.db, this.#kind.table, turn, this.#newLease());
      this.#lastKey = lastKey;
      this.#begin(claimed);
      isMore = claimed.length > 0;
    }
  }

  /** Releases waiting rows, and waits for claims under way and running work. */
  async drain(): Promise<void> {
    this.#stopping.abort();
    for (const row of this.#lanes?.clear() ?? []) this.#postpone(row, 0);
    while (this.#claims.size + this.#inFlight.size > 0) await Promise.allSettled([...this.#claims, ...this.#inFlight]);
    clearInterval(this.#heartbeat);
  }

  #run(row: ClaimedWork): Promise<Ending> {
    const { work: events, log } = this.#context;
    const [startedAt, { retry }, about] = [performance.now(), this.#kind, { job: this.#name, id: row.id }];
    const run = async (): Promise<Ending> => {
      if (row.expiries >= MIN_SUSPECT_EXPIRIES && !(await this.#startSuspect(row))) return 'nothing';
      events.emit('started', this.#name, row.id);
      try {
        const result = await this.#work(row.id);
        const ending = typeof result === 'string' ? result : 'nothing';
        if (ending === 'nothing') await this.#postpone(row, typeof result === 'object' ? result.delayMs : UNDONE_MS);
        events.emit('completed', this.#name, row.id, performance.now() - startedAt, ending);
        return ending;
      } catch (error) {
        if (error instanceof Overloaded) {
          // A turn was refused, before what needs it began.
          await this.#postpone(row, error.retryAfterSeconds * 1000);
          events.emit('completed', this.#name, row.id, performance.now() - startedAt, 'nothing');
          return 'nothing';
        }
        events.emit('failed', this.#name, row.id, error);
        if (!retry) await this.#postpone(row, UNDONE_MS);
        else if (this.#holds(row)) await this.#planNext(row, error, retry);
        return retry ? 'failure' : 'nothing';
      } finally {
        this.#drop(row);
        if (row.expiries > 0)
          await this.#acquit(row.id).catch((err) => log.warn({ ...about, err }, 'expired leases not forgotten'));
      }
    };
    const inContext = () => correlated({ id: row.correlation_id ?? randomUUID(), party: partyOf(row) }, run);
    if (row.expiries < MIN_SUSPECT_EXPIRIES) return this.#follow(inContext());
    const inTurn = this.#suspects.then(inContext);
    this.#suspects = inTurn.catch(() => {});
    return this.#follow(inTurn);
  }

  /** Counts the start, because the process may not live to count anything later. @returns false when another process has the work */
  async #startSuspect(row: ClaimedWork): Promise<boolean> {
    if (this.#stopping.signal.aborted) await this.#postpone(row, 0);
    if (!this.#holds(row)) return false;
    const counted = await countSuspectStart(this.#context.db, this.#kind.table, { id: row.id, lease: this.#lease });
    if (!counted) this.#drop(row);
    return counted;
  }

  /** Plans the retry, or gives up: a failed row is the dead letter. A no-op once the lease is lost: another process owns the row. */
  async #planNext({ id, failures: former }: ClaimedWork, error: unknown, retry: RetryPolicy): Promise<void> {
    const { db, now, log } = this.#context;
    const { table, isPermanent, reason = String } = this.#kind;
    const [moment, failures] = [now(), former + 1];
    const delayMs = isPermanent?.(error) ? undefined : retryDelay(retry, { failures });
    const failure = reason(error);
    const next =
      delayMs === undefined ? givenUp(table, failure, moment) : { ...dueAt(isoAfter(moment, delayMs)), failure };
    // An unrecorded failure: the lease expires, and the work is repeated.
    await recordFailure(db, table, { id, lease: this.#lease }, { failures, ...next }).catch((err) =>
      log.error({ job: this.#name, err }, 'job failure not recorded'),
    );
  }

  /** Makes a row available to any process after `delayMs`. */
  async #postpone(row: ClaimedWork, delayMs: number): Promise<void> {
    if (!this.#holds(row)) return;
    const { now, log } = this.#context;
    this.#drop(row);
    this.#postponing++;
    const released = this.#release({ id: row.id, dueAt: isoAfter(now(), delayMs) });
    await this.#follow(released.catch((err) => log.warn({ job: this.#name, id: row.id, err }, 'lease not released')));
    this.#postponing--;
    this.#onCapacity();
  }

  async #extendLeases(): Promise<void> {
    const { db, now } = this.#context;
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
    this.#context.work.emit('lease lost', this.#name, row.id);
  }

  #follow<Result>(work: Promise<Result>, among = this.#inFlight): Promise<Result> {
    const followed = work.finally(() => among.delete(followed));
    among.add(followed);
    return followed;
  }
}

function partyOf({ party }: ClaimedWork): Party {
  return partyOfKey(party);
}
