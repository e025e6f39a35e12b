import { expect } from 'chai';
import knex from 'knex';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { migrations } from '../../db/migrations/index.ts';
import { dialect, freshDatabase } from '../../harness/database/databases.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';

const DAY_MS = 86_400_000;

/** A database with the schema of the version whose last migration this is. */
async function ofVersion(settings: Config['database'], last: string) {
  const db = knex(
    settings.dialect === 'sqlite'
      ? { client: 'better-sqlite3', connection: { filename: settings.file }, useNullAsDefault: true }
      : { client: 'pg', connection: settings.url },
  );
  const getMigrations = async () => (await migrations.getMigrations([])).filter(({ name }) => name <= last);
  await db.migrate.latest({ migrationSource: { ...migrations, getMigrations } });
  return db;
}

describe(`an upgrade on ${dialect}`, () => {
  const folder = suiteFixture(temporaryFolder);

  it('lets verifications that are under way live for a day from their beginning', async () => {
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path) });
    const old = await ofVersion(database, '0009-payments');
    const began = new Date(Date.now() - DAY_MS / 2);
    const flow = { tenant_id: 'marta', failures: 0, created_at: began.toISOString() };
    const account = { email: 'm@mail.example', comparable_email: 'm@mail.example', name: 'M' };
    await old('tenants').insert({ id: 'marta', ...account, created_at: began.toISOString() });
    for (const status of ['pending', 'verified'] as const)
      await old('kyc_verifications').insert({ id: status, status, ...flow });
    for (const status of ['pending', 'cancelled'] as const)
      await old('eid_flows').insert({ id: status, status, ...flow, redirect_url: 'https://letting.example/' });
    await disconnect(old);
    const upgraded = await connect(database);
    try {
      for (const table of ['kyc_verifications', 'eid_flows'])
        for (const { status, expires_at } of await upgraded(table))
          expect(expires_at, `${table} ${status}`).to.equal(
            status === 'pending' ? new Date(began.getTime() + DAY_MS).toISOString() : began.toISOString(),
          );
    } finally {
      await disconnect(upgraded);
    }
  });
});
