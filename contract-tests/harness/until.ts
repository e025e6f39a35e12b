import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 45_000;
const STEP_MS = 20;

/** Waits until a fact holds, which nothing and an empty text are not, and returns it. Fails with the description after half a minute. */
export async function until<Fact>(
  description: string,
  look: () => Promise<Fact | undefined | null | false | ''> | Fact | undefined | null | false | '',
): Promise<Fact> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const fact = await look();
    if (fact !== undefined && fact !== null && fact !== false && fact !== '') return fact;
    await wait(STEP_MS);
  }
  throw new Error(`Waited in vain until ${description}.`);
}
