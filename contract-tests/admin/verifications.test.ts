import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';

databases('either');

type Row = Record<string, unknown>;

describe('the command line’s verifications', () => {
  const test = useService();
  const admin = new Admin(test);

  const audited = (resource_id: string) =>
    test.service.runtime.db('audit_entries').where({ resource_id }).orderBy('sequence').pluck('action');

  for (const kind of ['kyc', 'eid'] as const)
    it(`${kind} cancel asks for confirmation, ends a pending verification once, and leaves a finished one alone`, async () => {
      const params = { tenantId: await addApplicant(test, test.alice, `${kind}@mail.example`) };
      if (kind === 'kyc') await test.alice.ok('initiateKyc', { params });
      else await test.alice.ok('initiateEid', { params, body: { redirect_url: 'https://letting.example/' } });
      const [waiting] = await admin.json<Row[]>(kind, 'list', '--status', 'pending');
      const id = String(waiting?.[`${kind}_id`]);
      expect(await admin.refused(2, [kind, 'cancel', id])).to.match(/stops working.* add --yes/);
      const ended = await admin.json<Row>(kind, 'cancel', id, '--yes');
      expect(ended).to.include({ [`${kind}_id`]: id, status: 'expired', tenant_id: params.tenantId });
      expect(await admin.json<Row[]>(kind, 'list', '--status', 'pending')).to.deep.equal([]);
      expect(await admin.refused(1, [kind, 'cancel', id, '--yes'])).to.match(/it is expired/);
      expect(await admin.refused(1, [kind, 'cancel', 'none', '--yes'])).to.match(/no flow has the id "none"/);
      expect((await audited(id)).at(-1)).to.equal(`${kind}.cancel`);
    });

  it('forensics run decides as run-forensic does, queues once, and exits with 1 when nothing can be analysed', async () => {
    const email = 'forensics@mail.example';
    const tenantId = await addApplicant(test, test.alice, email);
    const refused = await admin.run(['forensics', 'run', email, '--json']);
    expect(refused).to.include({ code: 1, stderr: '' });
    const { data } = await test.alice.ok('runForensic', { params: { tenantId } });
    expect(JSON.parse(refused.stdout)).to.deep.equal({ tenant_id: tenantId, ...data });
    const { db } = test.service.runtime;
    await test.tenant(email, { documents: 1 });
    const { id } = await db('documents')
      .where({ tenant_id: tenantId })
      .first('id')
      .then((row) => row ?? expect.fail());
    const finished_at = new Date().toISOString();
    await db('forensic_runs').where({ tenant_id: tenantId }).update({ status: 'failed', due_at: null, finished_at });
    await db('kyc_verifications').insert({
      ...{
        id,
        ...(await ofTheirKey(db, tenantId)),
        provider: 'sandbox',
        status: 'verified',
        sealed_memory: null,
        failures: 0,
      },
      ...{ failure: null, due_at: null, created_at: finished_at, expires_at: finished_at, finished_at, result: '{}' },
    });
    const queued = await admin.json<Row>('forensics', 'run', tenantId);
    expect(queued).to.include({ tenant_id: tenantId, processing_status: 'QUEUED', added_to_queue: true });
    expect(await db('forensic_runs').where({ tenant_id: tenantId }).whereNot({ status: 'failed' })).to.have.length(1);
    expect(await audited(tenantId)).to.include('forensic.queue');
  });
});
