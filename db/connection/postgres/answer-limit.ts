/**
 * Bounds the wait for each answer of a connection with one timer: pg sets one for each query, which costs a seventh of a read's CPU time and
 * keeps its rows until the next full garbage collection.
 */
export class AnswerLimit {
  readonly #limitMs: number;
  readonly #close: (error: Error) => void;
  /**
   * The queries from the first without an answer on, in the order of sending, in which Postgres answers. Not in a set: what is added and
   * removed all the time makes a new table of it again and again.
   */
  readonly #sent: { sentAt: number; isAnswered: boolean }[] = [];
  #isWatched = false;

  /** @param close ends the connection, which fails all that wait for an answer there */
  constructor(limitMs: number, close: (error: Error) => void) {
    this.#limitMs = limitMs;
    this.#close = close;
  }

  /** A query is sent. @returns what to call once it is answered or has failed */
  sent(): () => void {
    const query = { sentAt: performance.now(), isAnswered: false };
    this.#sent.push(query);
    this.#watch(this.#limitMs);
    return () => {
      query.isAnswered = true;
      while (this.#sent[0]?.isAnswered) this.#sent.shift();
    };
  }

  #watch(ms: number): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const look = () => {
      this.#isWatched = false;
      const [oldest] = this.#sent;
      if (!oldest) return;
      const leftMs = Math.ceil(oldest.sentAt + this.#limitMs - performance.now());
      if (leftMs > 0) this.#watch(leftMs);
      // As pg names it.
      else this.#close(new Error('Query read timeout'));
    };
    // The socket keeps a process alive that waits for an answer.
    setTimeout(look, ms).unref();
  }
}
