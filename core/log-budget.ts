import { uncorrelated } from './correlation.ts';

interface Limits {
  /** How many lines are logged per interval; the report counts as one. */
  lines: number;
  everyMs: number;
}

/** Bounds the log lines that others can cause: further lines are counted, and their number is reported in the next interval. */
export class LogBudget {
  readonly #limits: Limits;
  readonly #report: (suppressed: number) => void;
  #left: number;
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Limits, report: (suppressed: number) => void) {
    this.#limits = limits;
    this.#report = report;
    this.#left = limits.lines;
  }

  /** @returns whether the line may be logged; otherwise it is counted */
  spend(): boolean {
    this.#timer ??= uncorrelated(() => setTimeout(() => this.#renew(), this.#limits.everyMs).unref());
    if (this.#left > 0) return this.#left-- > 0;
    this.#leftOut++;
    return false;
  }

  #renew(): void {
    this.#timer = undefined;
    this.#left = this.#limits.lines;
    this.report();
  }

  /** Reports how many lines were left out so far, if any. */
  report(): void {
    if (this.#leftOut === 0) return;
    const suppressed = this.#leftOut;
    this.#leftOut = 0;
    this.spend();
    this.#report(suppressed);
  }
}
