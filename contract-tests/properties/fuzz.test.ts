import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { databases, dialect } from '../../harness/database/dialect.ts';

databases('either', 'nightly');

const TITLE = 'listWorkspaces refuses bad credentials';

describe('npm run fuzz', () => {
  const fuzzOn = (database: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['contract-tests/fuzz.ts', database, '--alone', ...args],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        encoding: 'utf8',
      },
    );
    return { status, said: stdout, complained: stderr };
  };
  const fuzz = (...args: string[]) => fuzzOn('sqlite', ...args);

  it('lists the properties when the given name is unknown, and does nothing for an unknown option', () => {
    const nonsense = fuzz('--only', 'nonsense');
    expect(nonsense.status, nonsense.said).to.equal(2);
    expect(nonsense.complained).to.include(`\n  ${TITLE}\n`).and.include('createApplication refuses title: maxLength');
    expect(fuzz('--ony', TITLE)).to.include({ status: 2, said: '' });
    expect(fuzz('--path', '1')).to.include({ status: 2, said: '' });
  });

  it('repeats a run with the same seed, and ends with its outcome', () => {
    const only = ['--only', 'createApplication refuses title: maxLength', '--cases', '30', '--seed', '7'];
    const [one, two] = [0, 1].map(() => fuzzOn(dialect, ...only).said.replace(/ in \d+ s$/m, ''));
    expect(one).to.equal(two);
    expect(one).to.match(/^30 cases, 0 failed, seed 7\n$/m);
  });

  it('passes for cases that hold, and does not report the replay of a non-failing case as a pass', () => {
    const passed = fuzz('--only', TITLE, '--cases', '10', '--seed', '1');
    expect(passed.status, passed.complained).to.equal(0);
    expect(passed.said).to.match(/✔ .*\n.*\n\d+ cases, 0 failed, seed 1/);
    const stale = fuzz('--only', TITLE, '--seed', '1', '--path', '3:1');
    expect(stale.status).to.equal(1);
    expect(stale.said).to.include(`? ${TITLE}`).and.not.include('✔');
  });
});
