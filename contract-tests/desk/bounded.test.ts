import { expect } from 'chai';
import { newId, newTimelessId } from '../../core/ids.ts';
import { listDocumentRequests } from '../../db/applications/document-requests.ts';
import { MAX_PAYMENTS } from '../../db/applications/payments.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { MAX_SHOWN_ATTEMPTS } from '../../db/webhooks/delivery-lists.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { MAX_REPORTS, requestReport } from '../../jobs/reports/reports.ts';

databases('either');

describe('what a party may repeat without end', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const stage = suiteFixture(() => setStage(test));
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  const participant = async () => {
    const found = await db()('participants')
      .where({ application_id: stage.applicationId, email: stage.lead })
      .first('id');
    return found?.id ?? '';
  };

  it('analyses: the page of the person shows the newest fifty', async () => {
    const of = await ofTheirKey(db(), stage.tenantId);
    const finished = { status: 'completed', due_at: null, finished_at: new Date().toISOString() } as const;
    for (let run = 0; run < 60; run++)
      await inTransaction(db(), async (trx) => {
        const id = await insertForensicRun(trx, of, new Date());
        await trx('forensic_runs').where({ id }).update(finished);
      });
    const { text } = await agent.open(`/people/${stage.tenantId}`);
    expect([...text.matchAll(/analyses\/[\w-]{36}"/g)]).to.have.length(50);
    expect(readable(text)).to.include('only the newest 50');
  });

  it('requests for documents: the newest fifty are kept', async () => {
    const participant_id = await participant();
    const asked = Array.from({ length: 60 }, (_, index) => ({
      ...{ id: newId(), participant_id, type: 'payslip' as const, reason: `Reason ${index}` },
      created_at: new Date(Date.now() - 100_000 + index).toISOString(),
    }));
    await db()('document_requests').insert(asked);
    const form = { email: stage.lead, type: 'payslip', reason: 'The last one' };
    await agent.follow(await agent.act(`/applications/${stage.applicationId}/ask-document`, form));
    const kept = await listDocumentRequests(db(), participant_id);
    expect([kept.length, kept[0]?.reason, kept.at(-1)?.reason]).to.deep.equal([50, 'Reason 11', 'The last one']);
  });

  it('payments of a person: another is refused', async () => {
    const participant_id = await participant();
    const payment = { participant_id, amount: 1, is_protected: 0, status: 'settled', created_at: '' } as const;
    await db()('payments').insert(Array.from({ length: MAX_PAYMENTS - 1 }, () => ({ ...payment, id: newId() })));
    const pay = () => agent.act(`/applications/${stage.applicationId}/payment`, { email: stage.lead, amount: '10' });
    expect((await pay()).status).to.equal(303);
    const refused = await pay();
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include(`at most ${MAX_PAYMENTS} payments`);
  });

  it('attempts of a delivery: its page shows the newest hundred', async () => {
    const hook = await addHook(test.alice);
    const tries = Array.from({ length: MAX_SHOWN_ATTEMPTS + 20 }, () => ({ status_code: 503, error: 'answered 503' }));
    const id = await addDelivery(test, stage.tenantId, {
      ...{ webhook_id: hook.id, status: 'failed', due_at: null, last_error: 'answered 503' },
      ...{ attempts: tries.length, last_status_code: 503, tries },
    });
    const text = readable((await agent.open(`/deliveries/${id}`)).text);
    expect(text).to.include('Only the newest 100 attempts').and.include('Attempt 120').and.include('Attempt 21 ');
    expect(text).to.not.include('Attempt 20 ');
    await hook.stop();
  });

  it('reports of an application: another is refused', async () => {
    const order = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: 'Clara' };
    const first = await requestReport(test.service.runtime, stage.applicationId, 'en', order);
    const made = { status: 'failed', due_at: null, finished_at: new Date().toISOString() } as const;
    await db()('reports').where({ id: first }).update(made);
    const row = await db()('reports').where({ id: first }).first();
    if (!row) throw new Error('The report vanished.');
    const others = Array.from({ length: MAX_REPORTS - 1 }, () => ({ ...row, id: newTimelessId() }));
    await db()('reports').insert(others);
    const refused = await agent.act(`/applications/${stage.applicationId}/reports`);
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include(`at most ${MAX_REPORTS} reports`);
  });
});
