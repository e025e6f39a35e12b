import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import knex from 'knex';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { migrations } from '../../db/migrations/index.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { chainAudit, verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('both');

const DAY_MS = 86_400_000;

/** A database with the schema of the version that ended with this migration. */
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

describe('an upgrade', () => {
  const folder = suiteFixture(temporaryFolder);

  it('gives pending verifications a day from their start', async () => {
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
        for (const { id, expires_at } of await upgraded(table))
          expect(expires_at, `${table} ${id}`).to.equal(
            id === 'pending' ? new Date(began.getTime() + DAY_MS).toISOString() : began.toISOString(),
          );
    } finally {
      await disconnect(upgraded);
    }
  });

  it('assigns a tenant’s data to the only key that ever had them; otherwise no key sees it, and this is logged', async () => {
    const at = join(folder.path, 'by-key');
    await mkdir(at);
    const { database } = readConfig({ DATA_DIR: at, DATABASE_URL: await freshDatabase(at) });
    const old = await ofVersion(database, '0021-leases');
    const created_at = new Date(Date.now() - DAY_MS / 2).toISOString();
    await old('landlords').insert({ id: 'landlord', name: 'L', created_at });
    for (const id of ['a', 'b'])
      await old('api_keys').insert({
        ...{ id, landlord_id: 'landlord', name: id, client_id: id, client_secret_hash: '', created_at },
      });
    const keys = { only: ['a'], removed: ['a'], shared: ['a', 'b'], none: [] };
    for (const [tenant, owners] of Object.entries(keys)) {
      const person = { email: `${tenant}@mail.example`, comparable_email: `${tenant}@mail.example`, name: '' };
      await old('tenants').insert({ id: tenant, ...person, created_at });
      for (const key of owners) {
        const id = `${tenant}-${key}`;
        await old('applications').insert({
          ...{ id, api_key_id: key, title: '', active_email_key: '', created_at, updated_at: created_at },
        });
        await old('participants').insert({
          ...{ id, application_id: id, position: 0, ...person, is_lead: 1, is_guarantor: 0, consent_status: 'pending' },
          removed_at: tenant === 'removed' ? created_at : null,
        });
      }
      const open = {
        id: tenant,
        tenant_id: tenant,
        status: 'pending' as const,
        due_at: created_at,
        failures: 0,
        created_at,
      };
      await old('kyc_verifications').insert({ ...open, provider: 'sandbox', expires_at: created_at });
      await old('eid_flows').insert({ ...open, redirect_url: '', provider: 'sandbox', expires_at: created_at });
      await old('forensic_runs').insert(open);
      await old('documents').insert({
        ...{
          id: tenant,
          tenant_id: tenant,
          name: '',
          media_type: '',
          size_bytes: 1,
          sha256: '',
          source: 'eid',
          created_at,
        },
      });
      await old('events').insert({ id: tenant, tenant_id: tenant, event: 'EID_SUCCESS', body: '{}', created_at });
    }
    await disconnect(old);
    const upgraded = await connect(database);
    try {
      for (const table of ['kyc_verifications', 'eid_flows', 'forensic_runs', 'documents', 'events'] as const) {
        const rows = await upgraded(table).orderBy('id').select('id', 'api_key_id');
        expect(
          rows.map(({ id, api_key_id }) => `${id} ${api_key_id}`),
          table,
        ).to.deep.equal(['none null', 'only a', 'removed a', 'shared null']);
      }
      for (const table of ['kyc_verifications', 'eid_flows', 'forensic_runs'] as const)
        for (const row of await upgraded(table))
          expect(row.finished_at === null, `${table} ${row.id}`).to.equal(row.api_key_id !== null);
      const logged = await upgraded('audit_entries').where({ action: 'tenant.unassign' }).orderBy('resource_id');
      expect(logged.map(({ resource_id }) => resource_id)).to.deep.equal(['none', 'shared']);
      expect(await chainAudit({ db: upgraded }), 'entries of the chain').to.be.at.least(2);
      expect(await verifyChain({ db: upgraded })).to.include({ fault: undefined, waiting: 0, displaced: 0 });
    } finally {
      await disconnect(upgraded);
    }
  });
});
