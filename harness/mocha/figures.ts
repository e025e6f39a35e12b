/** What `npm run faults` prints beside promises and verdicts. In `npm test`, faults are a quick subset. */
import { expect } from 'chai';
import { isThorough } from '../process/patience.ts';

const figures = new WeakMap<Mocha.Runnable, string>();
let current: Mocha.Runnable | undefined;

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

/** How many times the usual duration a busy machine may add. */
const BUSY = 2;

/**
 * Checks the time limit of a promise, in `npm run faults` only. It is promised for an idle machine: how slow this one is just now, the same work
 * without the fault says.
 */
export function expectWithin(limitMs: number, slowest: Slowest, usual: Slowest): void {
  if (!isThorough) return;
  const allowedMs = limitMs + BUSY * usual.milliseconds;
  expect(slowest.milliseconds, `it takes ${usual.seconds} without the fault`).to.be.below(allowedMs);
}
