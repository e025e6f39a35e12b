import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { startService } from '../../bin/service/service.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { DAY_MS } from '../../core/time.ts';
import { VERSION } from '../../core/version.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { isSchemaKnown } from '../../db/connection/known-schema.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { schemaStatus } from '../../db/connection/schema-status.ts';
import { allMigrations } from '../../db/migrations/index.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';

databases('both');

const FUTURE = '9999-of-the-future';

interface Facts {
  dialect: string;
  location: string;
  schema_version: string | null;
  pending: string[];
  unknown: string[];
  size_bytes: number;
  rows: Record<string, number>;
  oldest_version: string | null;
  compatible: boolean;
  partitions_until: string | null;
}

describe('the command line’s database commands', () => {
  const folder = suiteFixture(temporaryFolder);
  let env: Record<string, string>;
  let admin: Admin;
  let names: string[];
  before(async () => {
    env = { DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path), PORT: '0' };
    admin = new Admin({ config: readConfig(env), folder: folder.path });
    names = allMigrations.map(({ name }) => name);
  });

  const database = () => readConfig(env).database;

  it('show a database without a schema, and create nothing', async () => {
    const facts = await admin.json<Facts>('db', 'status');
    expect(facts).to.deep.include({ dialect, schema_version: null, pending: names, unknown: [], rows: {} });
    expect(facts.partitions_until).to.equal(null);
    if (dialect === 'sqlite') expect(existsSync(join(folder.path, 'service.db'))).to.equal(false);
    expect(facts.location).to.not.include('screening:');
    const db = await open(database());
    expect(await db.schema.hasTable('knex_migrations')).to.equal(false);
    await disconnect(db);
  });

  if (dialect === 'sqlite')
    it('leave the database unchanged, byte for byte, when they only read, even under another program', async () => {
      const file = join(folder.path, 'of-another-program.db');
      new Sqlite(file).exec('create table something (a)').close();
      const before = await readFile(file);
      const looking = { DATABASE_URL: `sqlite:${file}` };
      const { stdout } = await admin.run(['db', 'status', '--json'], looking);
      expect(JSON.parse(stdout)).to.include({ schema_version: null });
      await admin.run(['doctor'], looking);
      expect((await readFile(file)).equals(before)).to.equal(true);
    });

  it('migrate once, say what was applied, and record it in the audit log', async () => {
    const first = await admin.json<Facts & { applied: string[] }>('db', 'migrate');
    expect(first.applied).to.deep.equal(names);
    expect(first).to.deep.include({ schema_version: names.at(-1), pending: [], unknown: [] });
    expect(first.rows).to.include({ landlords: 0, applications: 0, documents: 0, audit_entries: 1 });
    expect(first.size_bytes).to.be.above(10_000);
    expect(await admin.text('db', 'migrate')).to.match(/^The schema was already up to date\.\n/);
    const db = await open(database());
    const entries = await db('audit_entries').select('action', 'resource_id');
    await disconnect(db);
    expect(entries).to.deep.equal([{ action: 'database.migrate', resource_id: names.at(-1) }]);
  });

  it('name a newer schema and leave it alone: service, worker and commands stop, status still works', async () => {
    const db = await open(database());
    await db('knex_migrations').insert({ name: FUTURE, batch: 99, migration_time: new Date() });
    try {
      const sentence = `the database is newer than this version of the service: it has the migration ${FUTURE}; run that version or a newer one, or restore a backup from before the upgrade. Nothing was changed.`;
      for (const program of ['api', 'worker'] as const)
        expect(await refusedStart(program, env), program).to.deep.equal({
          code: 1,
          stderr: `The service cannot start: ${sentence}\n`,
        });
      expect(await admin.refused(1, ['landlord', 'list'])).to.equal(`Error: ${sentence}\n`);
      const { code, stdout } = await admin.run(['db', 'status', '--json']);
      expect(code).to.equal(1);
      expect(JSON.parse(stdout)).to.deep.include({ schema_version: FUTURE, pending: [], unknown: [FUTURE] });

      await db('migration_compatibility').insert({ name: FUTURE, oldest_version: '99.0.0' });
      const declared = `the database is newer than this version of the service: it has the migration ${FUTURE}, which supports versions from 99.0.0 on, and this is ${VERSION}: upgrade to 99.0.0 or newer, or restore a backup from before the upgrade. Nothing was changed.`;
      expect((await refusedStart('api', env)).stderr).to.equal(`The service cannot start: ${declared}\n`);
      expect((await admin.run(['db', 'status', '--json'])).code).to.equal(1);
    } finally {
      await db('migration_compatibility').where({ name: FUTURE }).delete();
      await db('knex_migrations').where({ name: FUTURE }).delete();
      await disconnect(db);
    }
  });

  it('show how far ahead partitions reach: at least two weeks as soon as the schema exists', async () => {
    const facts = await admin.json<Facts>('db', 'status');
    if (dialect === 'sqlite') return expect(facts.partitions_until).to.equal(null);
    expect(Date.parse(facts.partitions_until ?? '')).to.be.above(Date.now() + 14 * DAY_MS);
  });

  it('use a newer schema that supports this version: commands run, the service is ready, and status says so', async () => {
    const db = await open(database());
    await db('knex_migrations').insert({ name: FUTURE, batch: 99, migration_time: new Date() });
    await db('migration_compatibility').insert({ name: FUTURE, oldest_version: VERSION });
    try {
      const facts = await admin.json<Facts>('db', 'status');
      expect(facts).to.deep.include({ unknown: [FUTURE], oldest_version: VERSION, compatible: true });
      expect(await admin.json('landlord', 'list')).to.deep.equal([]);
      const service = await startService(readConfig(env), { log: createLog('silent') });
      expect(await isSchemaKnown(service.runtime.db)).to.equal(true);
      await service.close();
    } finally {
      await db('migration_compatibility').where({ name: FUTURE }).delete();
      await db('knex_migrations').where({ name: FUTURE }).delete();
      await disconnect(db);
    }
  });

  it('refuse an outdated or empty database with MIGRATE=false, the default in live, and leave it alone', async () => {
    const empty = { ...env, DATABASE_URL: await freshDatabase(folder.path, 'empty.db'), MIGRATE: 'false' };
    const nothing = await refusedStart('api', empty);
    expect(nothing.code).to.equal(1);
    expect(nothing.stderr).to.include('nothing of the service in this database yet').and.include('`db migrate`');
    const dry = await admin.run(['db', 'migrate', '--dry-run', '--json'], empty);
    expect(JSON.parse(dry.stdout)).to.deep.include({
      dry_run: true,
      applied: [],
      pending: names,
      schema_version: null,
    });
    const older = await open(readConfig(empty).database);
    await migrate(older, { migrations: allMigrations.slice(0, -1) });
    expect((await refusedStart('worker', empty)).stderr)
      .to.include('an earlier version')
      .and.include('MIGRATE=true');
    expect((await schemaStatus(older)).pending).to.deep.equal(names.slice(-1));
    await disconnect(older);
  });

  it('require a folder for backup and restore, and confirmation to replace a database', async () => {
    await misunderstood('db', 'backup');
    await misunderstood('db', 'restore', '--yes');
    await misunderstood('db', 'restore', '--from');
  });

  if (dialect === 'postgres')
    it('refer to Postgres’s own tools for backups, and name them', async () => {
      const told = await admin.refused(1, ['db', 'backup', '--to', join(folder.path, 'backup')]);
      expect(told).to.include('pg_dump --format=custom --file=').and.not.include('screening:');
      expect(await admin.refused(1, ['db', 'restore', '--from', folder.path, '--yes'])).to.include('pg_restore');
    });
});
