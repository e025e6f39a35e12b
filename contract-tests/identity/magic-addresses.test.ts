import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const body = { redirect_url: 'https://letting.example/back' };

/** The outcomes of KYC and the national eID, by the tag in the address. */
const outcomes = {
  '+kyc-verified+eid-verified': { kyc: 'verified', eid: 'succeeded' },
  '+kyc-rejected+eid-cancelled': { kyc: 'rejected', eid: 'cancelled' },
  '+KYC-Error+eid-failed': { kyc: 'failed', eid: 'failed' },
  '+kyc-left': { kyc: 'pending', eid: 'pending' },
  '': { kyc: 'pending', eid: 'pending' },
};

describe('an outcome without a click', () => {
  const statusOf = async (db: Database, tenant_id: string) => {
    const kyc = await db('kyc_verifications').where({ tenant_id }).first('status');
    const eid = await db('eid_flows').where({ tenant_id }).first('status');
    return { kyc: kyc?.status, eid: eid?.status };
  };
  /** A flow that fetches documents counts as ending. */
  const settled = (db: Database, tenantId: string, expected: { kyc: string; eid: string }) =>
    until(`the verifications ended as ${JSON.stringify(expected)}`, async () => {
      const { kyc, eid } = await statusOf(db, tenantId);
      return kyc === expected.kyc && eid === expected.eid;
    });

  describe('is chosen by a tag in the e-mail address:', () => {
    const test = useService();

    for (const [tag, expected] of Object.entries(outcomes))
      it(`${tag || 'none'}: KYC ${expected.kyc}, eID ${expected.eid}`, async () => {
        const ours = { email: `eva${tag}@mail.example`, is_lead: true };
        // Awaits the flows that end, then checks those that never do.
        const fence = { email: `fence-${tag.length}+kyc-verified+eid-verified@mail.example`, is_lead: false };
        await test.alice.ok('createApplication', { body: { title: 'Outcomes', tenants: [ours, fence] } });
        const ids = [];
        for (const { email } of [ours, fence]) ids.push((await test.tenant(email)).id);
        for (const tenantId of ids) {
          await test.alice.ok('initiateKyc', { params: { tenantId } });
          await test.alice.ok('initiateEid', { params: { tenantId }, body });
        }
        const { db } = test.service.runtime;
        const [tenantId = '', fenceId = ''] = ids;
        await settled(db, fenceId, outcomes['+kyc-verified+eid-verified']);
        await settled(db, tenantId, expected);
      });
  });

  it('has a person in the demo data for each tag', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-outcomes-'));
    const env = { DATA_DIR: folder, DATABASE_URL: await preparedDatabase(folder) };
    const service = await startServiceProcess(env);
    const db = await connect(readConfig(env).database);
    try {
      const demo = parseEnv(await readFile(join(folder, 'demo.env'), 'utf8'));
      const client = new Client(service.url, demo['CLIENT_ID'] ?? '', demo['CLIENT_SECRET'] ?? '');
      await client.authenticate();
      for (const [name, expected] of Object.entries({
        VERIFIED_TENANT_ID: { kyc: 'verified', eid: 'succeeded' },
        REJECTED_TENANT_ID: { kyc: 'rejected', eid: 'failed' },
        ERROR_TENANT_ID: { kyc: 'failed', eid: 'cancelled' },
        LEFT_TENANT_ID: { kyc: 'pending', eid: 'pending' },
        TENANT_ID: { kyc: 'pending', eid: 'pending' },
      })) {
        const tenantId = demo[name] ?? '';
        await client.ok('initiateKyc', { params: { tenantId } });
        await client.ok('initiateEid', { params: { tenantId }, body });
        await settled(db, tenantId, expected);
      }
    } finally {
      await disconnect(db);
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
