import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { Admin, columnsOf, misunderstood, usageFault } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const EMAIL = 'lists+kyc-verified+eid-verified@mail.example';

type Row = Record<string, unknown>;

describe('the command line’s lists of background work', () => {
  let tenantId: string;

  const test = useService();
  const admin = new Admin(test);
  before(async () => {
    tenantId = (await test.tenant(EMAIL, { documents: 1 })).id;
    await test.alice.ok('createApplication', { body: { title: 'Lists', tenants: [{ email: EMAIL, is_lead: true }] } });
    const params = { tenantId };
    await test.alice.ok('initiateKyc', { params });
    await test.alice.ok('initiateEid', { params, body: { redirect_url: 'https://letting.example/' } });
    await workDone(test.service.runtime.db);
  });

  it('filter by status and limit, newest first', async () => {
    expect(await admin.text('kyc', 'list', '--status', 'failed')).to.match(/no such identity verifications/);
    expect(await admin.json('eid', 'list', '--status', 'pending')).to.deep.equal([]);
    const all = await admin.json<Row[]>('forensics', 'list');
    const moments = all.map(({ created_at }) => created_at);
    expect(moments).to.deep.equal([...moments].sort().reverse());
    const [newest, ...others] = await admin.json<Row[]>('forensics', 'list', '--limit', '1');
    expect(newest?.['forensic_id']).to.equal(all[0]?.['forensic_id']);
    expect(others).to.deep.equal([]);
    expect(await admin.text('kyc', 'list', '--limit', '1')).to.not.match(/--limit/);
    await misunderstood('kyc', 'list', '--status', 'lost');
    for (const limit of ['0', '-1', '1.5', 'all', '1001']) await misunderstood('kyc', 'list', '--limit', limit);
  });

  it('show the outcome of each tenant’s verifications and analyses', async () => {
    for (const [noun, status] of [
      ['kyc', 'verified'],
      ['eid', 'succeeded'],
      // The alias.
      ['forensic', 'completed'],
    ] as const) {
      const [row] = await admin.json<Row[]>(noun, 'list', '--status', status);
      expect(row, noun).to.include({ tenant_id: tenantId, email: EMAIL, status, failures: 0, failure: null });
      expect(row?.[`${noun}_id`], noun).to.be.a('string');
      expect(row?.['finished_at'], noun).to.be.a('string');
      const human = await admin.text(noun, 'list');
      expect(columnsOf(human)).to.include.members(['tenant id', 'email', 'status', 'failure']);
      expect(human).to.include(tenantId);
    }
  });

  it('accept every state of a verification as a filter', async () => {
    const states = {
      kyc: ['pending', 'verified', 'rejected', 'failed', 'expired'],
      eid: ['pending', 'downloading', 'succeeded', 'cancelled', 'failed', 'expired'],
    };
    for (const [noun, statuses] of Object.entries(states))
      for (const status of statuses)
        expect(await usageFault(noun, 'list', '--status', status), `${noun} ${status}`).to.equal(undefined);
  });
});
