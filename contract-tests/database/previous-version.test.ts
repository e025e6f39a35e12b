import { execFile } from 'node:child_process';
import { expect } from 'chai';
import released from '../../db/released.json' with { type: 'json' };
import { databases } from '../../harness/database/dialect.ts';

databases('either');

const PATIENCE_MS = 300_000;
/** A caller's first requests; `npm run test:previous` runs all tests. */
const TESTS = ['contract-tests/operations/create-application.test.ts'];

function run(command: string, given: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(command, given, { maxBuffer: 2 ** 24 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe('the previous version on this version’s schema', function () {
  this.timeout(PATIENCE_MS);

  it('passes its own tests, if the clone contains its files', async () => {
    const history = await run('git', ['cat-file', '-e', `${released.commit}^{commit}`]);
    if (history.code !== 0) {
      console.warn(
        `      NOT RUN: this clone has no history of ${released.version}; run git fetch --unshallow, then npm run test:previous.`,
      );
      return;
    }
    const { code, output } = await run(process.execPath, ['scripts/previous-version.ts', ...TESTS]);
    expect(output, 'what mocha printed').to.match(/\d+ passing/);
    expect(code, output).to.equal(0);
  });
});
