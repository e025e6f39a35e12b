import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { newId } from '../../core/ids.ts';
import { poolUse } from '../../db/connection/pool-use.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { deleteFormerProcesses, noteEnd, noteHeartbeat } from '../../db/work/processes.ts';
import { addOutcomes, deleteFormerOutcomes, type OutcomeKind, type Outcomes } from '../../db/work/recent-outcomes.ts';
import type { JobName, Runtime } from '../runtime.ts';

export const BEAT_MS = 3_000;
/** Former rows are deleted with every so many beats. */
const TIDY_BEATS = 100;

const KINDS: Partial<Record<JobName, OutcomeKind>> = {
  'send-invite': 'mails',
  'complete-kyc': 'kyc',
  'complete-eid': 'eid',
  'run-forensic': 'analyses',
  'fetch-bank': 'banks',
};

/**
 * Says every few seconds that this process runs, how it is, and what has succeeded or failed since. It rests on the event loop of the
 * process alone: a slow machine delays it, only a frozen process ends it. Silent while the database does not answer.
 */
export class Heartbeat {
  readonly #runtime: Pick<Runtime, 'db' | 'now' | 'work'>;
  readonly #id = newId();
  readonly #role: string;
  readonly #startedAt: string;
  readonly #delay = monitorEventLoopDelay();
  #address: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #counts = new Map<OutcomeKind, Outcomes>();
  #beats = 0;
  /** The most that waited for a connection since the last heartbeat, which may have waited itself. */
  #poolWaiting = 0;
  #beating: Promise<void> | undefined;

  /** @param role what the process does on its machine */
  constructor(runtime: Pick<Runtime, 'db' | 'now' | 'work'>, role: string) {
    this.#runtime = runtime;
    this.#role = role;
    this.#startedAt = runtime.now().toISOString();
    const { work } = runtime;
    const count = (job: JobName, outcome: keyof Outcomes) => {
      const kind = KINDS[job];
      if (kind) this.count(kind, outcome);
    };
    // What tried nothing, such as a mail that is no longer wanted, says nothing about a server or provider.
    work.on('completed', (job, _id, _durationMs, ending) => {
      if (ending !== 'nothing') count(job, ending === 'success' ? 'succeeded' : 'failed');
    });
    work.on('failed', (job) => {
      count(job, 'failed');
      // This machine could not attempt it.
      if (job === 'deliver-webhook') this.count('deliveries', 'failed');
    });
    work.on('delivery attempted', (outcome) =>
      this.count('deliveries', outcome === 'success' ? 'succeeded' : 'failed'),
    );
    work.on('lease expired', () => this.count('leases', 'failed'));
  }

  /** @param address where it listens for operators or, without such a port, for callers */
  start(address: string | undefined): void {
    this.#address = address ?? null;
    this.#delay.enable();
    this.#timer = setInterval(() => void this.beat(), BEAT_MS).unref();
    void this.beat();
  }

  requestEnded(status: number | 'aborted'): void {
    if (status !== 'aborted') this.count('requests', status >= 500 ? 'failed' : 'succeeded');
  }

  count(kind: OutcomeKind, outcome: keyof Outcomes): void {
    const { succeeded, failed } = this.#counts.get(kind) ?? { succeeded: 0, failed: 0 };
    this.#counts.set(kind, { succeeded, failed, [outcome]: (outcome === 'failed' ? failed : succeeded) + 1 });
  }

  /** One at a time: beats do not queue up behind a silent database. */
  beat(): Promise<void> {
    this.#poolWaiting = Math.max(this.#poolWaiting, poolUse(this.#runtime.db).waiting);
    this.#beating ??= this.#store().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #store(): Promise<void> {
    const { db, now } = this.#runtime;
    const counts = this.#counts;
    this.#counts = new Map();
    const address = this.#address;
    const delay = this.#delay.count > 0 ? this.#delay.percentile(99) / 1e6 : 0;
    this.#delay.reset();
    const isTidying = this.#beats++ % TIDY_BEATS === 0;
    try {
      const { open, max } = await descriptors();
      await inTransaction(db, async (trx) => {
        const moment = now();
        const beat_at = moment.toISOString();
        await noteHeartbeat(trx, {
          id: this.#id,
          place: `${this.#role} on ${hostname()}${address === null ? '' : `, ${address}`}`,
          address,
          started_at: this.#startedAt,
          beat_at,
          ended_at: null,
          loop_delay_ms: Math.round(delay),
          pool_waiting: this.#poolWaiting,
          descriptors: open,
          max_descriptors: max,
        });
        this.#poolWaiting = 0;
        await addOutcomes(trx, moment, counts);
        if (!isTidying) return;
        await deleteFormerProcesses(trx, moment);
        await deleteFormerOutcomes(trx, moment);
      });
    } catch {
      // The counts go with the next beat.
      for (const [kind, { succeeded, failed }] of counts) {
        const since = this.#counts.get(kind) ?? { succeeded: 0, failed: 0 };
        this.#counts.set(kind, { succeeded: since.succeeded + succeeded, failed: since.failed + failed });
      }
    }
  }

  /** Stores what is left, and that the process was asked to end. Before the database is closed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#delay.disable();
    await this.#beating;
    await this.beat();
    await noteEnd(this.#runtime.db, this.#id, this.#runtime.now()).catch(() => {});
  }
}

/** 0 where the system does not tell, as outside Linux. */
async function descriptors(): Promise<{ open: number; max: number }> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
    const [, max] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return { open: open.length, max: Number(max ?? 0) };
  } catch {
    return { open: 0, max: 0 };
  }
}
