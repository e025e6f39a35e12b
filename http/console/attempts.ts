const MAX_FAILED = 10;
const WITHIN_MS = 5 * 60_000;
/** The oldest entries are evicted first. */
const MAX_ADDRESSES = 1_000;

/** Limits failed attempts by address, in this process. Tokens cannot be guessed; the limit only bounds the cost of trying. */
export class Attempts {
  readonly #failed = new Map<string, { count: number; since: number }>();

  /** How many seconds the address has to wait; 0 when it may try. */
  waitSeconds(address: string, now = performance.now()): number {
    const found = this.#failed.get(address);
    if (!found || found.count < MAX_FAILED || now - found.since >= WITHIN_MS) return 0;
    return Math.ceil((found.since + WITHIN_MS - now) / 1000);
  }

  failed(address: string, now = performance.now()): void {
    const found = this.#failed.get(address);
    const isRecent = found !== undefined && now - found.since < WITHIN_MS;
    this.#failed.delete(address);
    this.#failed.set(address, isRecent ? { ...found, count: found.count + 1 } : { count: 1, since: now });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > MAX_ADDRESSES && oldest !== undefined) this.#failed.delete(oldest);
  }
}
