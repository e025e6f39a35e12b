import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';

databases('either');

const BODY = '{"event":"FORENSIC_ANALYSIS_DATA","data":{"note":"confidential"}}';

describe('reading a tenant’s results', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test, { OPERATOR: 'ana' });
  const hook = suiteFixture(() => addHook(test.alice));

  /** The entries that a command adds to the audit log, as `action resource`. */
  const addedBy = async (...args: string[]) => {
    const entries = () => test.service.runtime.db('audit_entries').orderBy('sequence');
    const before = (await entries()).length;
    const { code, stderr } = await admin.run(args);
    expect(code, stderr).to.equal(0);
    const added = (await entries()).slice(before);
    for (const { actor_kind, actor } of added)
      expect({ actor_kind, actor }).to.deep.equal({ actor_kind: 'operator', actor: 'ana' });
    return added.map(({ action, resource_id }) => `${action} ${resource_id}`);
  };

  it('is audited: one entry per command, with reader and resource', async () => {
    const { db } = test.service.runtime;
    const email = 'read@mail.example';
    const tenantId = await addApplicant(test, test.alice, email);
    const delivery = await addDelivery(test, tenantId, { webhook_id: hook.id, body: BODY });
    const event = (await db('deliveries').where({ id: delivery }).first())?.event_id ?? '';
    const run = await db.transaction(async (trx) =>
      insertForensicRun(trx, await ofTheirKey(trx, tenantId), new Date()),
    );
    await db('forensic_runs').where({ id: run }).update({ status: 'completed', result: '{}', due_at: null });
    expect(await addedBy('tenant', 'show', email)).to.deep.equal([`tenant.read ${tenantId}`]);
    expect(await addedBy('forensics', 'show', email)).to.deep.equal([`forensic.read ${run}`]);
    expect(await addedBy('event', 'show', event, '--body')).to.deep.equal([`event.read ${event}`]);
    for (const [noun, resource] of Object.entries({ kyc: 'kyc', eid: 'eid', forensics: 'forensic' }))
      expect(await addedBy(noun, 'list')).to.deep.equal([`${resource}.read list`]);
    const file = `${test.folder}/${newId()}.zip`;
    expect(await addedBy('privacy', 'export', email, '--to', file)).to.deep.equal([`tenant.export ${tenantId}`]);
  });

  it('is not audited when no result is shown: lists of events and deliveries, an event without its body', async () => {
    const { db } = test.service.runtime;
    const { id } = (await db('events').first('id')) ?? expect.fail('no event');
    for (const args of [
      ['event', 'list'],
      ['event', 'show', id],
      ['delivery', 'list'],
      ['tenant', 'list'],
      ['document', 'list', 'read@mail.example'],
      ['audit', 'list'],
    ])
      expect(await addedBy(...args), args.join(' ')).to.deep.equal([]);
    const before = await db('audit_entries').orderBy('sequence');
    await admin.refused(1, ['forensics', 'show', newId()]);
    await admin.refused(1, ['tenant', 'show', 'nobody@mail.example']);
    await admin.refused(1, ['event', 'show', newId(), '--body']);
    expect(await db('audit_entries').orderBy('sequence')).to.deep.equal(before);
  });
});
