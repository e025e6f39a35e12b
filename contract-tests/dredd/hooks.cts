/**
 * Dredd's hook file. Dredd loads it with `require`, so it is CommonJS, and it only hands over to `session.ts`.
 * `npm run contract` runs it on each database.
 */
import type { Hooks, Transaction } from './dredd-hooks.ts';

const hooks: Hooks = require('hooks');
const starting = import('./session.ts').then(({ startSession }) => startSession());
let undone: readonly string[] = ['everything'];

/** Dredd ignores rejections, so failures are written into the transaction. */
function report(transaction: Transaction, step: Promise<void>, done: () => void): void {
  const failed = (error: unknown) => {
    transaction.fail = error instanceof Error ? error.message : String(error);
  };
  step.catch(failed).finally(done);
}

hooks.beforeEach((transaction, done) => {
  const step = starting.then((session) => session.prepare(transaction));
  report(transaction, step, done);
});

hooks.afterEach((transaction, done) => {
  const step = starting.then((session) => session.check(transaction));
  report(transaction, step, done);
});

hooks.afterAll((_transactions, done) => {
  const stopping = starting.then(async (session) => {
    undone = session.undone();
    await session.stop();
  });
  stopping.finally(done);
});

hooks.afterAll((_transactions) => {
  if (undone.length > 0) throw new Error(`Declared by the contract, but not seen as declared: ${undone.join(', ')}.`);
});
