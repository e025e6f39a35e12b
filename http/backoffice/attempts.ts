import type { Party } from '../../core/party.ts';

const MAX_REQUESTS = 10;
const WITHIN_MS = 5 * 60_000;
/** The oldest entries are evicted first. */
const MAX_CALLERS = 1_000;

/** Limits attempts to sign in by caller, in this process. */
export class Attempts {
  readonly #counted = new Map<string, { count: number; since: number }>();

  /** Counts an attempt. @returns how many seconds the caller has to wait instead; 0 when it was counted */
  take({ name }: Party, now = performance.now()): number {
    const found = this.#counted.get(name);
    const counted = found !== undefined && now - found.since < WITHIN_MS ? found : { count: 0, since: now };
    if (counted.count >= MAX_REQUESTS) return Math.ceil((counted.since + WITHIN_MS - now) / 1000);
    this.#counted.delete(name);
    this.#counted.set(name, { ...counted, count: counted.count + 1 });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_CALLERS && oldest !== undefined) this.#counted.delete(oldest);
    return 0;
  }
}
