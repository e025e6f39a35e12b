import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { inBatches } from './batches.ts';
import { type JobData, type JobName, LEASE_SECONDS, runJob, type Worker } from './queue.ts';

const MOST_IN_A_BATCH = 1_000;

/** A job that this process has leased. */
export interface LeasedJob {
  data: JobData;
}

/** Stores the jobs of one kind. Calls with a lost lease are no-ops. */
export interface JobStore<Job extends LeasedJob> {
  /** Leases up to `limit` due jobs, those that are not bulk first. */
  take(limit: number): Promise<Job[]>;
  extend(jobs: Job[]): Promise<void>;
  complete(jobs: Job[]): Promise<void>;
  /** Plans a retry or gives the job up. */
  fail(job: Job, error: unknown): Promise<void>;
}

interface Options {
  name: JobName;
  worker: Worker;
  concurrency: number;
  /** How often to poll for jobs that became due, or whose wake-up was lost. */
  pollMs: number;
  log: Log;
}

/** Keeps as many jobs of one kind running as its concurrency allows. */
export class Pump<Job extends LeasedJob> {
  readonly #store: JobStore<Job>;
  readonly #options: Options;
  readonly #complete: (job: Job) => Promise<undefined>;
  readonly #timers: NodeJS.Timeout[];
  /** Jobs that are running or being recorded. */
  readonly #held = new Map<Job, Promise<void>>();
  #running = 0;
  #looking: Promise<void> | undefined;
  #isAsked = false;
  /** The last look ended for lack of room. */
  #isMoreWaiting = false;
  #isStopped = false;

  constructor(store: JobStore<Job>, options: Options) {
    this.#store = store;
    this.#options = options;
    this.#complete = inBatches(MOST_IN_A_BATCH, async (jobs) => {
      await store.complete(jobs);
      return [];
    });
    this.#timers = [
      setInterval(() => this.wake(), options.pollMs),
      setInterval(() => this.#extend(), (LEASE_SECONDS * 1000) / 3),
    ];
    this.wake();
  }

  /** Whether `count` more jobs can start at once. */
  hasRoomFor(count: number): boolean {
    return !this.#isStopped && !this.#isMoreWaiting && this.#room() >= count;
  }

  wake(): void {
    this.#isAsked = true;
    if (this.#isStopped || this.#looking) return;
    this.#looking = this.#look()
      .catch((error) => this.#logError(error))
      .finally(() => {
        this.#looking = undefined;
        if (this.#isAsked) this.wake();
      });
  }

  /** Drains: takes no more jobs and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#looking;
    await Promise.all(this.#held.values());
    this.abandon();
  }

  /** Abandons running jobs; their leases expire. */
  abandon(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #look(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false;
      // Jobs that end in the same turn free their room together.
      await turn();
      const room = this.#room();
      this.#isMoreWaiting = room <= 0;
      if (room <= 0) return;
      const jobs = await this.#store.take(room);
      for (const job of jobs) this.#start(job);
      this.#isMoreWaiting = jobs.length === room;
      this.#isAsked ||= this.#isMoreWaiting;
    }
  }

  /** Back-pressure: leaves no room while recording falls behind. */
  #room(): number {
    const { concurrency } = this.#options;
    return Math.min(concurrency - this.#running, 3 * concurrency - this.#held.size);
  }

  #start(job: Job): void {
    this.#running++;
    const isOver = this.#run(job)
      .catch((error) => this.#logError(error))
      .finally(() => {
        this.#held.delete(job);
        if (this.#isMoreWaiting) this.wake();
      });
    this.#held.set(job, isOver);
  }

  async #run(job: Job): Promise<void> {
    const { name, worker, log } = this.#options;
    const failure = await runJob({ name, worker, data: job.data }, log).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#running--;
    if (this.#isMoreWaiting) this.wake();
    if (failure) await this.#store.fail(job, failure.error);
    else await this.#complete(job);
  }

  #extend(): void {
    if (this.#held.size === 0) return;
    const { log, name } = this.#options;
    this.#store
      .extend([...this.#held.keys()])
      .catch((error) => log.warn({ err: error, job: name }, 'leases not extended'));
  }

  #logError(error: unknown): void {
    this.#options.log.error({ err: error, job: this.#options.name }, 'queue error');
  }
}
