import { setTimeout as wait } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const STEP_MS = 20;
/** Polling takes CPU time from what is being waited for, so the interval grows with the time already waited. */
const STEP_SHARE = 0.1;
const MAX_STEP_MS = 100;

/** Waits until a value is truthy, and returns it. Fails with the description when patience ends. */
export async function until<Fact>(
  description: string,
  look: () => Promise<Fact | undefined | null | false | ''> | Fact | undefined | null | false | '',
): Promise<Fact> {
  const startedAt = Date.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = Date.now() - startedAt) {
    const fact = await look();
    if (fact !== undefined && fact !== null && fact !== false && fact !== '') return fact;
    await wait(Math.min(STEP_MS + waited * STEP_SHARE, MAX_STEP_MS));
  }
  throw new Error(`Waited without success until ${description}.`);
}

/** Waits until the clock is past a moment, because times have no more than milliseconds. */
export async function clockPasses(moment: string): Promise<void> {
  while (new Date().toISOString() <= moment) await wait(1);
}
