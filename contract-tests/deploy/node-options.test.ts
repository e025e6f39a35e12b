import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const FILE = 'bin/node.env';

/** Prints how large the young generation becomes at most, in MiB, while many objects survive. */
const GROW = `
const size = () => require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
let [kept, most] = [[], 0];
for (let made = 0; made < 3e6; made++) {
  kept = kept.length > 2e5 ? [] : kept;
  kept.push({ made });
  if (made % 1e4 === 0) most = Math.max(most, size());
}
console.log(most / 2 ** 20);`;

describe('the options of Node', () => {
  const [, options = ''] = /^NODE_OPTIONS=(.*)$/m.exec(readFileSync(FILE, 'utf8')) ?? [];
  const names = options.split(' ').map((option) => option.replace(/=.*/, ''));

  it('are documented by Node, which refuses any other in NODE_OPTIONS', () => {
    expect(names.filter((name) => !process.allowedNodeEnvironmentFlags.has(name))).to.deep.equal([]);
  });

  it('take effect in the way npm start passes them', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, passed = ''] = /^exec node (\S+) --import \S+ bin\/api\.ts$/.exec(scripts['start'] ?? '') ?? [];
    expect(passed).to.equal(`--env-file=${FILE}`);
    const young = (...flags: string[]) =>
      Number(execFileSync(process.execPath, [...flags, '--eval', GROW], { encoding: 'utf8', env: {} }));
    expect(young(passed)).to.equal(32);
    expect(young()).to.be.above(32);
  });

  it('stand in one file, which every program and manifest passes', () => {
    const names = '--max-semi-space-size|--(no-)?[a-z-]*(pretenuring|heap-growing)[a-z-]*|NODE_OPTIONS=';
    const places = ['package.json', 'Containerfile', 'bin', 'deploy', 'docs/operating', '.npmrc'];
    const args = ['grep', '--extended-regexp', '--name-only', '-e', names, '--', ...places];
    expect(execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')).to.deep.equal([FILE]);
  });
});
