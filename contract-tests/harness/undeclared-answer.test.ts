import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('an answer that the contract does not declare', () => {
  for (const mode of [[], ['--parallel']])
    it(`fails the test in which it occurred, whatever that checks, and no other: ${['mocha', ...mode].join(' ')}`, () => {
      const mocha = ['node_modules/mocha/bin/mocha.js', ...mode, 'contract-tests/harness/undeclared-answer.fixture.ts'];
      const { status, stdout } = spawnSync(process.execPath, mocha, { cwd: root, encoding: 'utf8' });
      expect(status, stdout).to.equal(1);
      expect(stdout).to.include('1 passing').and.include('1 failing');
      expect(stdout).to.include('listWorkspaces answered 418 to GET');
    });
});
