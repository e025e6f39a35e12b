import { expect } from 'chai';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { needsDatabase, properties } from './properties.ts';
import { usualSeed as seed } from './property.ts';
import { World } from './world.ts';

databases('both');

const ENOUGH = 2000;
/** Shrinking a failure takes a while. */
const PATIENCE_MS = 900_000;
/** By day each runs on one database: on Postgres what reaches the database, on SQLite what the edge refuses. At night all run on both. */
const chosen = properties.filter((one) => isNightly || needsDatabase(one) === (dialect === 'postgres'));
const subjects = Map.groupBy(chosen, ({ about }) => about);
const total = (group: typeof properties) => group.reduce((sum, { cases }) => sum + cases, 0);

describe(`properties of the contract: ${total(chosen)} cases of seed ${seed}`, () => {
  const world = suiteFixture(() => World.start());

  it(`are tried in at least ${ENOUGH} cases over both databases`, () => {
    expect(total(properties)).to.be.at.least(ENOUGH);
  });

  for (const [about, group] of subjects)
    it(`hold for ${about}: ${group.length} properties, ${total(group)} cases`, async () => {
      const failures: string[] = [];
      for (const property of group) {
        const { failure } = await property.check(world, { seed, cases: property.cases });
        if (failure) failures.push(failure);
      }
      if (failures.length > 0) expect.fail(failures.join('\n\n'));
    }).timeout(PATIENCE_MS);
});
