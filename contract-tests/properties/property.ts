import fc from 'fast-check';
import { dialect } from '../../harness/database/dialect.ts';
import type { World } from './world.ts';

/** A property that must hold for every case of an arbitrary. */
export interface Property {
  /** The operation under test. */
  about: string;
  title: string;
  /** The number of cases in a small run; larger runs multiply it. */
  cases: number;
  check(world: World, how: Run): Promise<Outcome>;
}

interface Run {
  seed: number;
  cases: number;
  /** Replays the case that a failure named. */
  path?: string | undefined;
}

interface Outcome {
  cases: number;
  /** A readable report of the smallest failing case; undefined when all passed. */
  failure: string | undefined;
}

/** The seed of `npm test`: it is fixed, so a failing run is due to the change; `npm run fuzz` searches for new cases. */
export const usualSeed = 20_261_121;

/** The time limit for shrinking a failure. */
const SHRINK_FOR_MS = 20_000;

/** @param examples cases that every run starts with */
export function property<Case>(
  head: Pick<Property, 'about' | 'title' | 'cases'>,
  cases: fc.Arbitrary<Case>,
  holds: (world: World, made: Case) => Promise<void>,
  examples: Case[] = [],
): Property {
  return { ...head, check: (world, how) => checkProperty(head, cases, holds, examples, world, how) };
}

async function checkProperty<Case>(
  { title }: Pick<Property, 'title'>,
  made: fc.Arbitrary<Case>,
  holds: (world: World, made: Case) => Promise<void>,
  examples: Case[],
  world: World,
  { seed, cases, path }: Run,
): Promise<Outcome> {
  // During shrinking, the last failure is the smallest so far.
  let smallest: string | undefined;
  let deadline = Number.POSITIVE_INFINITY;
  const predicate = async (value: Case) => {
    if (performance.now() > deadline) return;
    world.begin();
    try {
      await holds(world, value);
    } catch (error) {
      deadline = Math.min(deadline, performance.now() + SHRINK_FOR_MS);
      smallest = [...world.transcript(), error instanceof Error ? error.message : String(error)].join('\n');
      throw error;
    }
  };
  const details = await fc.check(fc.asyncProperty(made, predicate), {
    seed: seedOf(seed, title),
    numRuns: Math.max(cases, examples.length),
    examples: examples.map((example): [Case] => [example]),
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (!details.failed) return { cases: details.numRuns, failure: undefined };
  const told = smallest ?? String(details.errorInstance ?? 'No case could be made.');
  const replay = `npm run fuzz -- ${dialect} --seed ${seed} --path ${details.counterexamplePath} --only ${JSON.stringify(title)}`;
  return { cases: details.numRuns, failure: `${title}\n${told}\nagain: ${replay}` };
}

/** Derives a seed per property, so that properties generate different cases. */
function seedOf(seed: number, title: string): number {
  return (seed ^ fc.hash(title)) | 0;
}
