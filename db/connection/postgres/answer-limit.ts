/**
 * Bounds the wait for each answer of a connection with one timer: pg sets one for each query, which costs a seventh of a read's CPU time and
 * keeps its rows until the next full garbage collection. Answers come in the order of the queries.
 */
export class AnswerLimit {
  readonly #limitMs: number;
  readonly #close: (error: Error) => void;
  /** When each query was sent that has no answer yet. */
  readonly #sentAt: number[] = [];
  #isWatched = false;

  /** @param close ends the connection, which fails all that wait for an answer there */
  constructor(limitMs: number, close: (error: Error) => void) {
    this.#limitMs = limitMs;
    this.#close = close;
  }

  sent(): void {
    this.#sentAt.push(performance.now());
    this.#watch(this.#limitMs);
  }

  answered(): void {
    this.#sentAt.shift();
  }

  #watch(ms: number): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const look = () => {
      this.#isWatched = false;
      const [oldest] = this.#sentAt;
      if (oldest === undefined) return;
      const leftMs = Math.ceil(oldest + this.#limitMs - performance.now());
      if (leftMs > 0) this.#watch(leftMs);
      // As pg names it.
      else this.#close(new Error('Query read timeout'));
    };
    // The socket keeps a process alive that waits for an answer.
    setTimeout(look, ms).unref();
  }
}
