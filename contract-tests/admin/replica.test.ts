import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLandlord } from '../../db/access/landlords.ts';
import { databases } from '../../harness/database/dialect.ts';
import { query, startPostgres, startStandby } from '../../harness/database/postgres-server.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('postgres');

const SAID = /^Read from the standby, whose last change is from \d{4}-\d\d-\d\dT[\d:.]+Z, \d+ s ago\.\n$/;

describe('a read replica for the command line', () => {
  const primary = suiteFixture(() => startPostgres({ flags: ['wal_keep_size=64MB'] }));
  const test = suiteFixture(() => startTestService({ DATABASE_URL: `${primary.url}/postgres`, RUN_WORKERS: 'false' }));
  const standby = suiteFixture(() => startStandby(primary));
  const admin = new Admin(test);
  const replica = () => ({ DATABASE_REPLICA_URL: `${standby.url}/postgres` });
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin.run([...args, '--json'], replica());
    expect({ code, stderr: stderr.replace(SAID, '') }).to.deep.equal({ code: 0, stderr: '' });
    expect(stderr).to.match(SAID);
    return JSON.stringify(JSON.parse(stdout));
  };
  const hasReplayed = () =>
    until('the standby had everything', async () => {
      const [position] = await query(primary.url, 'select pg_current_wal_lsn() as lsn');
      const [row] = await query(standby.url, `select pg_last_wal_replay_lsn() >= '${position?.['lsn']}' as is_there`);
      return row?.['is_there'] === true;
    });

  it('serves lists and exports, which say how current they are and lack only newer rows', async () => {
    const person = 'standby@mail.example';
    await test.tenant(person, { of: test.alice });
    await hasReplayed();
    await query(standby.url, 'select pg_wal_replay_pause()');
    await until('the standby has paused', async () => {
      const [row] = await query(standby.url, 'select pg_get_wal_replay_pause_state() as state');
      return row?.['state'] === 'paused';
    });
    await createLandlord(test.service.runtime.db, 'Not there yet', new Date());
    try {
      expect(await list('landlord', 'list'))
        .to.include('Casa Clara')
        .and.not.include('Not there yet');
      expect(await list('application', 'list')).to.include(person);
      expect(await list('kyc', 'list')).to.equal('[]');
      const file = join(test.folder, 'export.zip');
      expect(await list('privacy', 'export', person, '--to', file)).to.include(file);
      expect((await readFile(file)).length).to.be.above(100);
      expect(await list('audit', 'export', '--to', join(test.folder, 'audit.jsonl'))).to.include('entries');
    } finally {
      await query(standby.url, 'select pg_wal_replay_resume()');
    }
    await hasReplayed();
    expect(await list('landlord', 'list')).to.include('Not there yet');
  });

  it('is checked by the doctor', async () => {
    const { stdout } = await admin.run(['doctor', '--json'], replica());
    const standby = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'standby');
    expect(standby).to.deep.include({ state: 'ok' });
  });

  it('serves nothing else: commands that change something or show one thing use the primary', async () => {
    const { code, stdout, stderr } = await admin.run(['landlord', 'create', '--name', 'Beside'], replica());
    expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' });
  });

  it('is refused when it accepts writes or does not answer, and the message names the setting', async () => {
    const both = { DATABASE_REPLICA_URL: `${primary.url}/postgres` };
    expect(await admin.refused(1, ['landlord', 'list'], both)).to.match(/does not lead to a standby/);
    const away = { DATABASE_REPLICA_URL: 'postgres://a:b@127.0.0.1:1/x' };
    expect(await admin.refused(1, ['landlord', 'list'], away)).to.match(
      /the database of DATABASE_REPLICA_URL does not answer.*Leave DATABASE_REPLICA_URL empty/,
    );
  });
});
