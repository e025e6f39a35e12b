import { basename } from 'node:path';
import { styleText } from 'node:util';
import { dialect } from '../../harness/database/dialect.ts';
import { figureOf } from '../../harness/mocha/figures.ts';

type Verdict = 'kept' | 'broken' | 'skipped';

const COLOURS = { kept: 'green', broken: 'red', skipped: 'yellow' } as const;

/** A mocha reporter: for each test its promise, its measurement, and whether the promise was kept. */
export default class FaultReporter {
  readonly #counts: Record<Verdict, number> = { kept: 0, broken: 0, skipped: 0 };

  constructor(runner: Mocha.Runner) {
    runner.on('pass', (test) =>
      this.#print('kept', test, figureOf(test) ?? `kept for ${(test.duration ?? 0) / 1000} s`),
    );
    runner.on('pending', (test) => this.#print('skipped', test, figureOf(test) ?? 'not for this machine'));
    runner.on('fail', (test, error) => this.#print('broken', test, String(error.stack)));
    runner.on('end', () => {
      const { kept, broken, skipped } = this.#counts;
      console.log(`On ${dialect}: ${kept} promises kept, ${broken} broken, ${skipped} skipped`);
    });
  }

  /** As one string, because both databases print. */
  #print(verdict: Verdict, test: Mocha.Runnable, figure: string): void {
    this.#counts[verdict]++;
    const fault = `${basename(test.file ?? '', '.test.ts')}, ${dialect}`;
    const promise = test.titlePath().join(' ');
    console.log(`${styleText(COLOURS[verdict], verdict)}  ${fault}\n  Promise: ${promise}\n  Figure: ${figure}\n`);
  }
}
