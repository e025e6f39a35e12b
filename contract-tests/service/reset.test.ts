import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { programEnv, startServiceProcess } from '../../harness/process/process.ts';

databases('sqlite', 'nightly');

const run = promisify(execFile);

describe('npm run reset', () => {
  const folder = suiteFixture(temporaryFolder);
  const data = () => join(folder.path, 'data');
  const demo = () => parseEnv(readFileSync(join(data(), 'demo.env'), 'utf8'));
  const reset = (env: Record<string, string> = {}) =>
    run(process.execPath, ['scripts/reset.ts'], { env: { ...programEnv(), DATA_DIR: data(), ...env } }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );

  it('refuses while the service runs, and what is no sandbox; afterwards the ids are the same and the credentials new', async () => {
    const first = await startServiceProcess({ DATA_DIR: data() });
    const before = demo();
    expect(await reset()).to.include('is running: stop it first');
    await first.stop();
    expect(await reset()).to.include('Deleted');
    expect(existsSync(data())).to.equal(false);
    const second = await startServiceProcess({ DATA_DIR: data() });
    const after = demo();
    await second.stop();
    for (const name of ['APPLICATION_ID', 'TENANT_ID', 'PROPERTY_ID']) expect(after[name], name).to.equal(before[name]);
    expect(after['CLIENT_SECRET']).to.not.equal(before['CLIENT_SECRET']);
    const other = join(folder.path, 'other');
    mkdirSync(other);
    expect(await reset({ DATA_DIR: other })).to.include('Nothing was deleted');
    expect(existsSync(other)).to.equal(true);
  });
});
