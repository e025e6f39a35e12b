import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const TITLE = 'listWorkspaces refuses bad credentials';

describe('npm run fuzz', () => {
  const fuzz = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['contract-tests/fuzz.ts', 'sqlite', '--alone', ...args],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        encoding: 'utf8',
      },
    );
    return { status, said: stdout, complained: stderr };
  };

  it('lists the properties when none is called as asked, and does nothing for an option that it does not know', () => {
    const nonsense = fuzz('--only', 'nonsense');
    expect(nonsense.status, nonsense.said).to.equal(2);
    expect(nonsense.complained).to.include(`\n  ${TITLE}\n`);
    expect(fuzz('--ony', TITLE)).to.include({ status: 2, said: '' });
    expect(fuzz('--path', '1')).to.include({ status: 2, said: '' });
  });

  it('passes for cases that hold, and calls the replay of a case that does not fail no pass', () => {
    const passed = fuzz('--only', TITLE, '--cases', '10', '--seed', '1');
    expect(passed.status, passed.complained).to.equal(0);
    expect(passed.said).to.match(/✔ .*\n.*\n\d+ cases, 0 failed, seed 1/);
    const stale = fuzz('--only', TITLE, '--seed', '1', '--path', '3:1');
    expect(stale.status).to.equal(1);
    expect(stale.said).to.include(`? ${TITLE}`).and.not.include('✔');
  });
});
