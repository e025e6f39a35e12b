import { isSchemaKnown } from '../../db/connection/known-schema.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const CHECK_MS = 1_000;
/** A database without an answer for this long is down; a database that takes a second for each answer is slow. */
export const SILENT_MS = 5_000;
/** Without a probe for this long, the questions pause. */
const IDLE_MS = 120_000;

/** While there are probes, asks the database every second, one question at a time, and knows for how long no answer has come. */
export class DatabaseWatch {
  readonly #db: Runtime['db'];
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #probedAt = 0;
  #countedAt = 0;
  #silentMs = 0;
  #hasAnswered = false;
  /** By the last answer. */
  isSchemaKnown = true;

  constructor(db: Runtime['db']) {
    this.#db = db;
  }

  /** Fulfilled with the end of the question under way, or of a new one. */
  probe(): Promise<void> {
    this.#probedAt = performance.now();
    if (!this.#timer) this.#begin();
    return this.#ask();
  }

  /** Why the database counts as down, or null. */
  get failure(): string | null {
    this.#count();
    if (this.#silentMs >= SILENT_MS) return `no answer for ${SILENT_MS} ms`;
    return this.#hasAnswered ? null : 'no answer yet';
  }

  #begin(): void {
    [this.#countedAt, this.#silentMs, this.#hasAnswered] = [this.#probedAt, 0, false];
    this.#timer = setInterval(() => {
      if (performance.now() - this.#probedAt < IDLE_MS) return void this.#ask();
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, CHECK_MS).unref();
  }

  #ask(): Promise<void> {
    this.#count();
    this.#asking ??= isSchemaKnown(this.#db)
      .then(
        (isKnown) => {
          this.isSchemaKnown = isKnown;
          [this.#countedAt, this.#silentMs, this.#hasAnswered] = [performance.now(), 0, true];
        },
        () => {},
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  /** Leaves out the time in which this process itself stood still. */
  #count(): void {
    const now = performance.now();
    this.#silentMs += Math.min(now - this.#countedAt, 2 * CHECK_MS);
    this.#countedAt = now;
  }
}
