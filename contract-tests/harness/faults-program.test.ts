import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const faults = (...args: string[]) =>
  new Promise<Ended>((resolve) => {
    execFile(process.execPath, ['scripts/faults/faults.ts', ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

describe('npm run faults', () => {
  it('prints promise, figure and verdict', async () => {
    const { code, stdout } = await faults('--only', 'full-data-disk', '--database', 'sqlite');
    expect(stdout).to.match(/^(kept|skipped) {2}full-data-disk, sqlite\n {2}Promise: .+\n {2}Figure: .+\n/);
    expect(stdout).to.match(/^On sqlite: \d promises kept, 0 broken, \d skipped$/m);
    expect(code).to.equal(0);
  });

  it('lists the faults, and names them when one is unknown', async () => {
    expect((await faults('--list')).stdout).to.match(/^killed-service$/m);
    const { code, stderr } = await faults('--only', 'flood');
    expect(code).to.equal(2);
    expect(stderr).to.match(/^--only is "flood"; use one of .*killed-service/);
  });
});
