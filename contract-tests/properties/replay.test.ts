import { expect } from 'chai';
import fc from 'fast-check';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { property } from './property.ts';
import { World } from './world.ts';

databases('either');

describe('a failing case', () => {
  const world = suiteFixture(() => World.start());

  it('is shrunk as far as possible, and can be replayed alone by its seed and path', async () => {
    const tried: number[] = [];
    const small = property(
      { about: 'numbers', title: 'stay small', cases: 100 },
      fc.nat(1000),
      async (_world, number) => {
        tried.push(number);
        if (number > 50) throw new Error(`saw ${number}`);
      },
    );
    const { failure = '' } = await small.check(world, { seed: 7, cases: 100 });
    expect(failure).to.include('saw 51').and.include('--seed 7');
    const path = / --path (\S+)/.exec(failure)?.[1];
    tried.length = 0;
    expect((await small.check(world, { seed: 7, cases: 100, path })).failure).to.include('saw 51');
    expect(tried).to.deep.equal([51]);
  });
});
