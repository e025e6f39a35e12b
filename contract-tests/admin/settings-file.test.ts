import { execFile } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DatabaseFacts } from '../../db/connection/database-facts.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { programEnv } from '../../harness/process/process.ts';
import type { Ended } from '../../harness/service/admin-host.ts';

databases('either');

describe('the settings of a command', () => {
  const folder = suiteFixture(temporaryFolder);
  let database: string;
  before(async () => {
    database = await freshDatabase(folder.path);
    await writeFile(
      join(folder.path, '.env'),
      `DATABASE_URL='${database}' # of this test\nDATA_DIR='${folder.path}'\nLOG_LEVEL=none\n`,
    );
  });

  const run = (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
    const { SETTINGS_FILE: _none, ...others } = programEnv();
    const program = new URL('../../bin/admin.ts', import.meta.url).pathname;
    return new Promise((resolve) =>
      execFile(
        process.execPath,
        [program, ...args],
        { cwd: folder.path, env: { ...others, ...env } },
        (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      ),
    );
  };

  it('come from the folder’s .env file, and the environment takes precedence', async () => {
    expect((await run(['db', 'status'])).stderr).to.match(/LOG_LEVEL is "none"/);
    const { code, stdout } = await run(['db', 'status', '--json'], { LOG_LEVEL: 'silent' });
    const facts: DatabaseFacts = JSON.parse(stdout);
    expect([code, facts.dialect, facts.schema_version]).to.deep.equal([0, dialect, null]);
    expect(database).to.include(facts.location.split('/').at(-1));
  });

  it('can come from another file, which must then exist', async () => {
    expect(await run(['db', 'status'], { SETTINGS_FILE: 'none.env' })).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'Error: the settings cannot be used: SETTINGS_FILE, which is "none.env", cannot be read (ENOENT).\n',
    });
    const { stdout } = await run(['db', 'status', '--json'], {
      SETTINGS_FILE: '',
      DATA_DIR: join(folder.path, 'elsewhere'),
    });
    expect(JSON.parse(stdout).dialect).to.equal('sqlite');
  });

  it('must have known names: a misspelt one is rejected with a suggestion', async () => {
    await writeFile(
      join(folder.path, 'misspelt.env'),
      'DATABASE_ULR=postgres://u:secret@h/d\nportt=1\nCOLOUR=red\nNODE_EXTRA_CA_CERTS=ca.pem\nPGSSLMODE=require\nTZ=UTC\nPOSTGRES_PASSWORD=p\nCOMPOSE_PROJECT_NAME=c\n',
    );
    expect(await run(['db', 'status'], { SETTINGS_FILE: 'misspelt.env' })).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `Error: the settings cannot be used: ${[
        'COLOUR is not a setting. Remove it, or keep it in a separate file.',
        'DATABASE_ULR is not a setting. Did you mean DATABASE_URL?',
        'NODE_EXTRA_CA_CERTS works in the environment only; set it there.',
        'portt is not a setting. Did you mean PORT?',
      ]
        .map((fault) => `misspelt.env: ${fault}`)
        .join(' ')}\n`,
    });
  });

  it('may name a database without the service’s tables, which stays unchanged', async () => {
    const ended = await run(['landlord', 'list'], { LOG_LEVEL: 'silent' });
    expect(ended).to.include({ code: 1, stdout: '' });
    expect(ended.stderr).to.match(
      /^Error: there is nothing of the service in this database yet: is it the right one\?.*\n$/,
    );
    if (dialect === 'sqlite')
      expect(await access(database.slice('sqlite:'.length)).catch(() => 'absent')).to.equal('absent');
    const { stdout } = await run(['db', 'status', '--json'], { LOG_LEVEL: 'silent' });
    expect(JSON.parse(stdout).schema_version).to.equal(null);
    expect((await run(['db', 'migrate'], { LOG_LEVEL: 'silent' })).code).to.equal(0);
    expect((await run(['landlord', 'list', '--json'], { LOG_LEVEL: 'silent' })).stdout).to.equal('[]\n');
  });
});
