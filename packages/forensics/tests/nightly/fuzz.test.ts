import { faultsAfter, faultsOf, foundIn } from '@tenant-screening/forensics-corpus/fuzz/judge.ts';
import { trapped, traps } from '@tenant-screening/forensics-corpus/fuzz/mutations.ts';
import { sampleSeeds } from '@tenant-screening/forensics-corpus/fuzz/seeds.ts';
import type { Method } from '@tenant-screening/forensics-corpus/truth.ts';
import { expect } from 'chai';

const SEED = 23;
const CASES = 60;
const QUICK: Method[] = ['as-produced', 'object-streams', 'encrypted', 'signed', 'overlay', 'edited-screenshot'];

describe('no file disables the engine', () => {
  it('an unused object that misleads readers removes no finding', async () => {
    const seeds = await sampleSeeds(SEED, 1, ['overlay', 'incremental-edit', 'rewrite-orphan']);
    const found = await foundIn(seeds);
    expect([...found.values()].map((rules) => rules.size > 0)).to.deep.equal(seeds.map(() => true));
    const faults: string[] = [];
    for (const seed of seeds) for (const trap of traps) faults.push(...(await faultsAfter(trapped(seed, trap), found)));
    expect(faults).to.deep.equal([]);
  });

  it(`no check fails on ${CASES} changed files (seed ${SEED}; npm run fuzz:forensics takes more)`, async () => {
    const seeds = await sampleSeeds(SEED, 1, QUICK);
    const found = await foundIn(seeds);
    const faults: string[] = [];
    for (let number = 0; number < CASES; number++) faults.push(...(await faultsOf(seeds, number, found)));
    expect(faults).to.deep.equal([]);
  });
});
