import { expect } from 'chai';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { needsDatabase, properties } from './properties.ts';
import { usualSeed as seed } from './property.ts';
import { World } from './world.ts';

databases('both');

/** `npm run fuzz` tries any number. */
const [PART, ENOUGH] = isNightly ? [1, 2_000] : [0.5, 1_000];
const casesOf = ({ cases }: (typeof properties)[number]) => Math.ceil(PART * cases);
/** Shrinking a failure takes a while. */
const PATIENCE_MS = 900_000;
/** By day each runs on one database: on Postgres what reaches the database, on SQLite what the edge refuses. At night all run on both. */
const chosen = properties.filter((one) => isNightly || needsDatabase(one) === (dialect === 'postgres'));
const subjects = Map.groupBy(chosen, ({ about }) => about);
const total = (group: typeof properties) => group.reduce((sum, one) => sum + casesOf(one), 0);

describe(`properties of the contract: ${total(chosen)} cases of seed ${seed}`, () => {
  const world = suiteFixture(() => World.start());

  it(`are tried in at least ${ENOUGH} cases over both databases`, () => {
    expect(total(properties)).to.be.at.least(ENOUGH);
  });

  for (const [about, group] of subjects)
    it(`hold for ${about}: ${group.length} properties, ${total(group)} cases`, async () => {
      const failures: string[] = [];
      for (const property of group) {
        const { failure } = await property.check(world, { seed, cases: casesOf(property) });
        if (failure) failures.push(failure);
      }
      if (failures.length > 0) expect.fail(failures.join('\n\n'));
    }).timeout(PATIENCE_MS);
});
