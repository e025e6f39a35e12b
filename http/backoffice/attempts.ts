const MAX_REQUESTS = 10;
const WITHIN_MS = 5 * 60_000;
/** The oldest entries are evicted first. */
const MAX_ADDRESSES = 1_000;

/** Limits requests for sign-in mail by address, in this process. */
export class Attempts {
  readonly #counted = new Map<string, { count: number; since: number }>();

  /** How many seconds the address has to wait; 0 when it may ask. */
  waitSeconds(address: string, now = performance.now()): number {
    const found = this.#counted.get(address);
    if (!found || found.count < MAX_REQUESTS || now - found.since >= WITHIN_MS) return 0;
    return Math.ceil((found.since + WITHIN_MS - now) / 1000);
  }

  count(address: string, now = performance.now()): void {
    const found = this.#counted.get(address);
    const isRecent = found !== undefined && now - found.since < WITHIN_MS;
    this.#counted.delete(address);
    this.#counted.set(address, isRecent ? { ...found, count: found.count + 1 } : { count: 1, since: now });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_ADDRESSES && oldest !== undefined) this.#counted.delete(oldest);
  }
}
