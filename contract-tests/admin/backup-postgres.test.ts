import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import pg from 'pg';
import { headText } from '../../core/rules/audit-chain.ts';
import { readConfig } from '../../core/settings/config.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { dumped } from '../../harness/database/pg-dump.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { OLD, withKeys } from '../../harness/service/rotation.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { chainAudit, verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('postgres');

const EMAIL = 'backup+kyc-verified@mail.example';

describe('a backup of Postgres with its own pg_dump', () => {
  const test = useService({ ...withKeys(OLD), RUN_WORKERS: 'false' });

  it('restores into an empty database, from which a service serves every row and document and resumes its jobs', async () => {
    const body = { title: 'Backup', tenants: [{ email: EMAIL, is_lead: true }] };
    const { application_id = '' } = (await test.alice.ok('createApplication', { body })).data;
    const { id: tenantId } = await test.tenant(EMAIL, { documents: 2 });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await chainAudit(test.service.runtime);
    const head = await chainHead(test.service.runtime.db);
    const { database } = test.config;
    if (database.dialect !== 'postgres') throw new Error('This is not Postgres.');
    const sql = await dumped(database.url);
    const folder = join(test.folder, 'elsewhere');
    await mkdir(folder);
    await cp(join(test.folder, 'documents'), join(folder, 'documents'), { recursive: true });
    const env = { ...withKeys(OLD), DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
    const client = new pg.Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    await client.query(sql);
    await client.end();
    const facts = await new Admin({ config: readConfig(env), folder }).json<Record<string, unknown>>('db', 'status');
    expect(facts).to.deep.include({ pending: [], unknown: [] });
    expect(facts['rows']).to.include({ applications: 1, documents: 2 });
    const there = await startTestService(env);
    try {
      const alice = new Client(there.service.url, test.alice.clientId, test.alice.clientSecret);
      await alice.authenticate();
      const { data } = await alice.ok('getApplication', { params: { applicationId: application_id } });
      expect(data.title).to.equal('Backup');
      const { db, providers } = there.service.runtime;
      const digests = await db('documents').pluck('sha256');
      expect(digests).to.have.length(2);
      for (const sha256 of digests)
        expect((await buffer(providers.documents.get(sha256))).subarray(0, 4).toString()).to.equal('%PDF');
      await until('the verification that was under way ended', () =>
        db('kyc_verifications').where({ tenant_id: tenantId, status: 'verified' }).first('id'),
      );
      expect((await verifyChain({ db }, [head])).fault, headText(head)).to.equal(undefined);
      const refused = await db('audit_entries')
        .delete()
        .catch(({ message }: Error) => message);
      expect(refused).to.include('append-only');
    } finally {
      await there.stop();
    }
  });
});
