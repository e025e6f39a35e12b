/** How long work on many entries continues after failures: one of a single entry comes at once, one of what all need after its timeouts. */
const MAX_FAILING_MS = 60_000;

/** The failures of entries that are worked on one after the other. An entry that fails holds up no other; what fails for all of them ends the work. */
export class Failures {
  readonly #until = performance.now() + MAX_FAILING_MS;
  readonly #all: unknown[] = [];

  /** @throws the first, once the work has taken a minute */
  add(error: unknown): void {
    this.#all.push(error);
    if (performance.now() > this.#until) this.end();
  }

  /** @throws the first */
  end(): void {
    if (this.#all.length > 0) throw this.#all[0];
  }
}
