import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import manifest from '../../package.json' with { type: 'json' };

databases('none', 'nightly');

const run = promisify(execFile);

/** Lint and conditions pass the options that they do not know on, to Redocly and mocha. */
const PASSING_ON = ['lint', 'conditions'];

/** Without the services, which start by `exec`: the environment configures them. */
const programs = Object.entries<string>(manifest.scripts).flatMap(([name, command]) => {
  const [program, ...words] = command.split(' ');
  return program === 'node' && !/^(pre|types$)/.test(name) ? [{ name, words }] : [];
});

describe('a program for developers', () => {
  it('is found in package.json', () => {
    expect(programs.map(({ name }) => name)).to.include.members(['test', 'reset', 'coverage', 'faults', 'mutations']);
  });

  for (const { name, words } of programs) {
    it(`${name} says with --help how it is used, and does nothing`, async () => {
      const { stdout } = await run(process.execPath, [...words, '--help'], { timeout: 30_000 });
      expect(stdout).to.match(/^Usage: /);
    });
  }

  for (const { name, words } of programs.filter((one) => !PASSING_ON.includes(one.name)))
    it(`${name} refuses an option that it does not know, and does nothing`, async () => {
      const ended = await run(process.execPath, [...words, '--bogus'], { timeout: 30_000 }).catch((error) => error);
      expect(ended).to.include({ killed: false });
      expect(ended.code).to.be.within(1, 2);
      expect(ended.stderr).to.match(/--bogus/);
    });
});
