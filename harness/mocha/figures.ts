/** What `npm run faults` prints beside promises and verdicts. In `npm test`, faults are a quick subset. */

const figures = new WeakMap<Mocha.Runnable, string>();
let current: Mocha.Runnable | undefined;

/** Whether faults last as long and occur as often as documented. */
export const isThorough = process.env['FAULTS'] === 'thorough';

/** How often a fault occurs. */
export const times = (quick: number, thorough: number) => (isThorough ? thorough : quick);

export function noteTest(test: Mocha.Runnable | undefined): void {
  current = test;
}

/** Reports a measurement of the running test. */
export function figure(text: string): void {
  if (current) figures.set(current, text);
}

export const figureOf = (test: Mocha.Runnable) => figures.get(test);

/** Skips the running test, which this machine cannot run. Only for `npm run faults`: `npm test` skips nothing. */
export function unavailable(reason: string): never {
  figure(reason);
  current?.skip();
  throw new Error(reason);
}

/** The longest measured duration, in seconds. */
export class Slowest {
  milliseconds = 0;

  async time<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.milliseconds = Math.max(this.milliseconds, performance.now() - startedAt);
    }
  }

  get seconds(): string {
    return `${(this.milliseconds / 1000).toFixed(1)} s`;
  }
}
