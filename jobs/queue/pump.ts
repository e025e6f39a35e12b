import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import type { JobName, Worker } from './queue.ts';

const MOST_IN_A_BATCH = 200;

/**
 * Takes up to `limit` ids from the queue, hands them over and forgets them.
 * @returns how many there were
 */
export type Take = (limit: number, hand: (ids: readonly string[]) => Promise<void>) => Promise<number>;

interface Options {
  name: JobName;
  worker: Worker;
  /** How often to look for ids whose wake-up was lost. */
  pollMs: number;
  log: Log;
}

/** Brings the ids of one kind to its worker, as many as it has room for. */
export class Pump {
  readonly #take: Take;
  readonly #options: Options;
  readonly #timer: NodeJS.Timeout;
  #isWanted = false;
  #looking: Promise<void> | undefined;
  /** The last look ended for lack of room. */
  #isFull = false;
  #isStopped = false;

  constructor(take: Take, options: Options) {
    this.#take = take;
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), options.pollMs);
    this.wake();
  }

  /** Whether `count` more ids can start at once. */
  hasRoomFor(count: number): boolean {
    return !this.#isStopped && !this.#isFull && this.#options.worker.room() >= count;
  }

  wake(): void {
    this.#isWanted = true;
    if (this.#isStopped || this.#looking) return;
    const { log, name } = this.#options;
    this.#looking = this.#look()
      .catch((err) => log.error({ job: name, err }, 'queue error'))
      .finally(() => {
        this.#looking = undefined;
        if (this.#isWanted) this.wake();
      });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { worker } = this.#options;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      // Work that ends in the same turn frees its room together.
      await turn();
      const limit = Math.min(worker.room(), MOST_IN_A_BATCH);
      this.#isFull = limit <= 0;
      if (limit <= 0) return;
      const taken = await this.#take(limit, (ids) => worker.take(ids, this.#hasRoom));
      this.#isWanted ||= taken === limit;
    }
  }

  readonly #hasRoom = (): void => {
    if (this.#isFull) this.wake();
  };
}
