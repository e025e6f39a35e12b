import { expect } from 'chai';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { inOrder, needsDatabase } from '../properties/properties.ts';
import { usualSeed as seed } from '../properties/property.ts';
import { applicationHistories } from './application-histories.ts';
import { oddBodies, oddTypes } from './bodies.ts';
import { badCredentials, forgedTokens } from './credentials.ts';
import { oddFields } from './fields.ts';
import { eachTwice } from './good-calls.ts';
import { keyHistories } from './key-histories.ts';
import { connections } from './on-the-wire.ts';
import { oddQueries } from './queries.ts';
import { nearTargets, oddSteps } from './targets.ts';
import { TwoStacks } from './two-stacks.ts';

databases('both');

/** The share of the fuzz corpus that each run sends. `npm run fuzz` sends all of it. */
const PART = isNightly ? 0.05 : 0.02;
const MAX_SHOWN = 5;
/** One database is enough: nearly every request is refused before a query. */
const corpus = {
  'each request twice': eachTwice,
  'addresses that are nearly those of operations': nearTargets,
  'odd steps of a path': oddSteps,
  'odd queries': oddQueries,
  'odd bodies': oddBodies,
  'odd values of each field': oddFields,
  'odd types and encodings of bodies': oddTypes,
  'bad credentials beside good ones': badCredentials,
  'forged tokens beside a good one': forgedTokens,
};
const subjects = Map.groupBy(
  inOrder.filter((one) => isNightly || needsDatabase(one) === (dialect === 'postgres')),
  ({ about }) => about,
);

describe('the service and the plain stack', () => {
  const stacks = suiteFixture(() => TwoStacks.start());

  for (const [about, group] of subjects)
    it(`answer the same to generated input for ${about}`, async () => {
      for (const property of group) {
        const { failure } = await property.check(stacks, { seed, cases: Math.ceil(property.cases * PART) });
        // Stops at the first failure, because shrinking is slow.
        if (failure) expect.fail(failure);
      }
    });

  for (const [about, calls] of Object.entries(dialect === 'sqlite' ? corpus : {}))
    it(`answer the same to ${about}`, async () => {
      const failures: string[] = [];
      for await (const call of calls(stacks)) {
        stacks.begin();
        await stacks.send(call).catch((error) => failures.push([...stacks.transcript(), error.message].join('\n')));
      }
      if (failures.length > 0) expect.fail(`${failures.length} times\n${failures.slice(0, MAX_SHOWN).join('\n\n')}`);
    });

  it('answer the same to whole connections', async () => {
    stacks.begin();
    for (const [about, bytes] of Object.entries(connections(stacks)))
      await stacks.sendBytes(bytes).catch((error) => expect.fail(`${about}\n${error.message}`));
  });

  for (const [about, history] of Object.entries({ ...keyHistories, ...applicationHistories }))
    it(`agree that ${about}`, async () => {
      stacks.begin();
      await history(stacks).catch((error) => expect.fail([...stacks.transcript(), error.message].join('\n')));
    });

  it('have stored the same rows', () => stacks.compareStored());
});
