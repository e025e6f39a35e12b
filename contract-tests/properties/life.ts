import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Life } from './life-model.ts';
import { Scene } from './life-scene.ts';
import { create, type Happened, look, remove, type Step, update } from './life-steps.ts';
import {
  answerByLink,
  noteAnswer,
  openAccount,
  openLink,
  pay,
  setState,
  transfer,
  useLink,
} from './life-steps-outside.ts';
import { type Property, property } from './property.ts';

const DAY_MS = 86_400_000;

/** A small set, so that addresses collide in different case. */
const name = fc.constantFrom('ana', 'Ana', 'ben', 'carla', 'DAN');
const which = fc.nat({ max: 2 });
const flag = fc.boolean();
const consent = fc.constantFrom('accepted' as const, 'rejected' as const);
const later = fc.constantFrom(DAY_MS, 40 * DAY_MS);
const state = fc.constantFrom('COMPLETED' as const, 'PENDING' as const, 'OUTDATED' as const);
const people = fc.uniqueArray(name, { minLength: 2, maxLength: 4, selector: (one) => one.toLowerCase(), size: 'max' });
const creation = fc
  .tuple(people, fc.nat())
  .map(([names, lead]) => create(names.join(' & '), names, lead % names.length));
const changes = fc.record({ name: fc.constantFrom('', 'Noor'), is_guarantor: flag }, { requiredKeys: [] });

/** The actions on one of these people in one of these applications. */
const done = (which: fc.Arbitrary<number>, name: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 3, arbitrary: creation },
    { weight: 3, arbitrary: fc.tuple(which, name, changes).map((made) => update(...made)) },
    { weight: 5, arbitrary: fc.tuple(which, name).map((made) => remove(...made)) },
    { weight: 6, arbitrary: fc.tuple(which, name).map((made) => transfer(...made)) },
    { weight: 6, arbitrary: fc.tuple(which, name, consent).map((made) => answerByLink(...made)) },
    { weight: 2, arbitrary: fc.tuple(which, name, consent).map((made) => noteAnswer(...made)) },
    { weight: 3, arbitrary: fc.tuple(which, name).map((made) => openLink(...made)) },
    { weight: 4, arbitrary: fc.tuple(which, name, consent).map((made) => useLink(...made)) },
    { weight: 2, arbitrary: fc.tuple(name, state, later).map((made) => setState(...made)) },
    { weight: 1, arbitrary: name.map(openAccount) },
    { weight: 2, arbitrary: fc.tuple(which, name, flag).map((made) => pay(...made)) },
  );

/** All actions on one person, or on any. */
const together = fc.oneof(
  fc.array(done(which, name), { minLength: 1, maxLength: 4, size: 'max' }),
  fc
    .tuple(which, name)
    .chain((one) =>
      fc.array(done(fc.constant(one[0]), fc.constant(one[1])), { minLength: 2, maxLength: 4, size: 'max' }),
    ),
);

/** Concurrent steps, and the pause before them. */
const batch = fc.record({
  wait: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(DAY_MS, 10 * DAY_MS, 25 * DAY_MS)),
  together,
});
const lives = fc.tuple(
  creation.map((first) => ({ wait: 1, together: [first] })),
  fc.array(batch, { minLength: 1, maxLength: 10, size: 'max' }),
);

export const lifeProperty: Property = property(
  {
    about: 'the life cycle of applications',
    title: 'what happens at once leaves what some order of it leaves',
    cases: 20,
  },
  lives,
  async (world, [first, others]) => {
    const scene = new Scene(world, await world.caller());
    const story: string[] = [];
    /** The orders that cannot be distinguished, each with its resulting life. */
    let possible: Life[] = [{ now: 0, applications: [], accounts: {} }];
    for (const { wait, together } of [first, ...others]) {
      const now = scene.pass(wait);
      const happened = await atOnce(scene, together);
      story.push(`at ${new Date(now).toISOString()}:`, ...happened.map(({ told }) => `  ${told}`));
      possible = after(possible, now, ordersOf(happened));
      expectSome(possible, story);
      const seen = await inTurn(scene, scene.ids.flatMap(look));
      possible = after(possible, now, [seen]);
      expectSome(possible, [...story, ...seen.map(({ told }) => `  ${told}`)]);
    }
  },
);

async function atOnce(scene: Scene, together: Step[]): Promise<Happened[]> {
  const acts: (() => Promise<Happened>)[] = [];
  for (const step of together) acts.push(await step.prepare(scene));
  return Promise.all(acts.map((act) => act()));
}

async function inTurn(scene: Scene, steps: Step[]): Promise<Happened[]> {
  const happened: Happened[] = [];
  for (const step of steps) happened.push(...(await atOnce(scene, [step])));
  return happened;
}

/** The possible resulting lives, without duplicates. */
function after(before: Life[], now: number, orders: Happened[][]): Life[] {
  const found: Life[] = [];
  for (const life of before)
    for (const order of orders) {
      const next = structuredClone({ ...life, now });
      if (order.every(({ fits }) => fits(next)) && !found.some((other) => isDeepStrictEqual(other, next)))
        found.push(next);
    }
  return found;
}

function ordersOf<Item>(items: Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

function expectSome(lives: Life[], story: string[]): void {
  if (lives.length === 0) throw new Error(['No order of it leads there:', ...story].join('\n'));
}
