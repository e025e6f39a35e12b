import { DAY_MS, isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addDailyCounts, type Counted, DAYS_KEPT } from '../../db/work/daily-counts.ts';
import type { Runtime } from '../runtime.ts';

const EVERY_MS = 60_000;
const REQUESTS = { 2: 'requests 2xx', 3: 'requests 3xx', 4: 'requests 4xx', 5: 'requests 5xx' } as const;

/** A day in UTC: `2026-01-31`. */
export function dayOf(moment: Date | string): string {
  return (typeof moment === 'string' ? moment : moment.toISOString()).slice(0, '2026-01-31'.length);
}

/**
 * Counts this process's activity in memory, and adds it to the day's row every minute: a crash loses a minute at most. Counts from just
 * before midnight may fall to the next day.
 */
export class DailyCounts {
  readonly #runtime: Pick<Runtime, 'db' | 'now' | 'log' | 'work'>;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<Counted, number>();

  constructor(runtime: Pick<Runtime, 'db' | 'now' | 'log' | 'work'>) {
    this.#runtime = runtime;
    runtime.work.on('delivery attempted', (outcome) => {
      this.#add('delivery attempts');
      if (outcome !== 'success') this.#add('failed delivery attempts');
    });
    runtime.work.on('document analysed', () => this.#add('documents analysed'));
    this.#timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  requestEnded(status: number | 'aborted'): void {
    const first = status === 'aborted' ? 0 : Math.floor(status / 100);
    this.#add(first === 2 || first === 3 || first === 4 || first === 5 ? REQUESTS[first] : 'requests aborted');
  }

  #add(name: Counted, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Best effort: counts that could not be stored are retried with the next. */
  async flush(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    const { db, now, log } = this.#runtime;
    const moment = now();
    try {
      const before = dayOf(isoAfter(moment, -DAYS_KEPT * DAY_MS));
      await inTransaction(db, (trx) => addDailyCounts(trx, dayOf(moment), counts, before));
    } catch (error) {
      for (const [name, count] of counts) this.#add(name, count);
      log.warn({ err: error }, 'daily counts not stored');
    }
  }

  /** Stores the remaining counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
