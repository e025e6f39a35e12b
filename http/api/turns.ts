import type { DatabaseSettings } from '../../core/settings/database-settings.ts';

interface Limits {
  /** The maximum number of concurrent writes. */
  atOnce: number;
  /** The maximum number of concurrent writes per key. */
  ofOneKey: number;
  /** How long a write waits for its turn while none of its key's writes succeeds, in milliseconds. */
  waitMs: number;
}

interface Waiting {
  begin(): void;
}

/** Connections reserved for reads and for the workers. */
const RESERVED = 2;
const SHARE = 2;

/** A key gets at most half of the turns: of the transactions that SQLite commits together, or of the Postgres connections. */
export function limitsOf(database: DatabaseSettings): Limits {
  if (database.dialect === 'sqlite') return { atOnce: 16, ofOneKey: 8, waitMs: 10_000 };
  const { poolSize, connectMs } = database.limits;
  const atOnce = Math.max(1, poolSize - RESERVED);
  return { atOnce, ofOneKey: Math.max(1, Math.min(Math.floor(poolSize / SHARE), atOnce - 1)), waitMs: connectMs };
}

/** No turn became free in time. */
class NoTurn extends Error {
  constructor() {
    super('The API key has more requests under way than it has turns.');
  }
}

/**
 * A bulkhead per API key: writes wait here before they take a connection, so that one key cannot take them all:
 * 1. a write whose key is below its limit runs at once;
 * 2. other writes queue per key; each turn that ends goes to the queue that was served least recently;
 * 3. writes are refused once their queue has made no progress for too long: their turns hang or fail, as when the database does not
 *    answer.
 */
export class Turns {
  readonly #limits: Limits;
  #running = 0;
  readonly #ofKey = new Map<string, number>();
  /** In the order in which keys get turns. */
  readonly #lines = new Map<string, Waiting[]>();
  /** When a queued key last had a turn succeed. */
  readonly #movedAt = new Map<string, number>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws NoTurn */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#lines.has(key) || !this.#isFree(key)) await this.#waitInLine(key);
    else this.#begin(key);
    try {
      const result = await work();
      this.#movedAt.set(key, performance.now());
      return result;
    } finally {
      this.#end(key);
    }
  }

  #isFree(key: string): boolean {
    return this.#running < this.#limits.atOnce && (this.#ofKey.get(key) ?? 0) < this.#limits.ofOneKey;
  }

  #begin(key: string): void {
    this.#running++;
    this.#ofKey.set(key, (this.#ofKey.get(key) ?? 0) + 1);
  }

  #end(key: string): void {
    this.#running--;
    const left = (this.#ofKey.get(key) ?? 0) - 1;
    if (left > 0) this.#ofKey.set(key, left);
    else this.#ofKey.delete(key);
    if (!this.#lines.has(key)) this.#movedAt.delete(key);
    for (const [next, line] of this.#lines) {
      if (this.#running >= this.#limits.atOnce) return;
      if (!this.#isFree(next)) continue;
      const first = line.shift();
      this.#lines.delete(next);
      // Moves the key to the end: the others are served first.
      if (line.length > 0) this.#lines.set(next, line);
      this.#begin(next);
      first?.begin();
      return;
    }
  }

  #waitInLine(key: string): Promise<void> {
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    return new Promise((resolve, reject) => {
      const { waitMs } = this.#limits;
      const leave = () => {
        const stoodMs = performance.now() - (this.#movedAt.get(key) ?? Number.NEGATIVE_INFINITY);
        if (stoodMs < waitMs) {
          timer = setTimeout(leave, waitMs - stoodMs);
          return;
        }
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#lines.delete(key);
        reject(new NoTurn());
      };
      let timer = setTimeout(leave, waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { begin };
      line.push(waiting);
    });
  }
}
