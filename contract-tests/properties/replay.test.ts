import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { dialect } from '../../harness/database/databases.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { property } from './property.ts';
import { World } from './world.ts';

const run = promisify(execFile);
const fuzz = (...args: string[]) =>
  run(process.execPath, [new URL('../fuzz.ts', import.meta.url).pathname, dialect, ...args]);

describe('a failing case', () => {
  const world = suiteFixture(() => World.start());

  it('is made as small as it gets, and comes back alone by its seed and its path', async () => {
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

describe('npm run fuzz', () => {
  const only = ['--only', 'createApplication refuses title: maxLength', '--cases', '30', '--seed', '7', '--alone'];
  const untimed = (output: string) => output.replace(/ in \d+ s$/m, '');

  it('does the same again with the same seed, and ends with how it went', async () => {
    const [one, two] = [await fuzz(...only), await fuzz(...only)].map(({ stdout }) => untimed(stdout));
    expect(one).to.equal(two);
    expect(one).to.match(/^30 cases, 0 failed, seed 7\n$/m);
  });

  it('tells of what it does not know, with the titles that there are', async () => {
    const { code, stderr } = await fuzz('--only', 'nonsense').then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(code).to.equal(2);
    expect(stderr).to.include('createApplication refuses title: maxLength');
  });
});
