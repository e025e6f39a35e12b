import { expect } from 'chai';
import type { AuditEntryRow } from '../../db/audit/audit.ts';
import { pauseWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { operationById } from '../../harness/contract/contract.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const LEAD = 'lead@mail.example';
const OTHER = 'other@mail.example';
const REDIRECT = 'https://letting.example/';

describe('the audit log', () => {
  let apiKeyId: string;
  const test = useService({ RUN_WORKERS: 'false' });
  before(async () => {
    const { clientId } = test.alice;
    apiKeyId = (await test.service.runtime.db('api_keys').where({ client_id: clientId }).first('id'))?.id ?? '';
  });

  const entries = (): Promise<AuditEntryRow[]> => test.service.runtime.db('audit_entries').orderBy('sequence');
  /** The API keys' entries that `work` adds to the log. */
  const addedBy = async (work: () => Promise<unknown>) => {
    const before = (await entries()).length;
    await work();
    const added = (await entries()).slice(before);
    return added.map(({ action, resource_id, actor_kind, actor, correlation_id }) => {
      expect({ actor_kind, actor }).to.deep.equal({ actor_kind: 'api_key', actor: apiKeyId });
      expect(correlation_id).to.be.a('string');
      return [action, resource_id];
    });
  };
  const created = { title: 'Audited', tenants: [LEAD, OTHER].map((email) => ({ email, is_lead: email === LEAD })) };
  const create = async () => (await test.alice.ok('createApplication', { body: created })).data.application_id ?? '';

  it('records each change once, with API key, action and resource, and skips no-ops', async () => {
    let applicationId = '';
    const creation = await addedBy(async () => {
      applicationId = await create();
    });
    expect(creation).to.deep.equal([['application.create', applicationId]]);
    expect(await addedBy(create), 'the same again').to.deep.equal([]);
    const { db } = test.service.runtime;
    const other = await db('participants').where({ application_id: applicationId, email: OTHER }).first();
    const params = { applicationId, email: OTHER };
    const update = () => test.alice.ok('updateParticipant', { params, body: { name: 'Eva', is_guarantor: true } });
    expect(await addedBy(update)).to.deep.equal([['participant.update', other?.id]]);
    expect(await addedBy(update), 'the same again').to.deep.equal([]);
    const refused = () => test.alice.refused('removeParticipant', 409, { params: { applicationId, email: LEAD } });
    expect(await addedBy(refused), 'refused').to.deep.equal([]);
    const remove = () => test.alice.ok('removeParticipant', { params });
    expect(await addedBy(remove)).to.deep.equal([['participant.remove', other?.id]]);
    let webhookId = '';
    const hook = await addedBy(async () => {
      webhookId = (await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook' } })).data.id ?? '';
    });
    expect(hook).to.deep.equal([['webhook.create', webhookId]]);
    expect(await addedBy(() => test.alice.ok('getApplication', { params: { applicationId } }))).to.deep.equal([]);
  });

  it('records who started a verification or an analysis, and nothing if one was already running', async () => {
    await create();
    const { id: tenantId } = await test.tenant(LEAD, { documents: 1 });
    const params = { tenantId };
    const kyc = () => test.alice.ok('initiateKyc', { params });
    expect(await addedBy(kyc)).to.deep.equal([['kyc.start', tenantId]]);
    expect(await addedBy(kyc), 'under way').to.deep.equal([]);
    const eid = () => test.alice.ok('initiateEid', { params, body: { redirect_url: REDIRECT } });
    expect(await addedBy(eid)).to.deep.equal([['eid.start', tenantId]]);
    const analyse = () => test.alice.ok('runForensic', { params });
    expect(await addedBy(analyse), 'KYC is pending').to.deep.equal([]);
    await test.service.runtime.db('kyc_verifications').update({ status: 'verified', due_at: null });
    expect(await addedBy(analyse)).to.deep.equal([['forensic.queue', tenantId]]);
    expect(await addedBy(analyse), 'queued').to.deep.equal([]);
  });

  it('stores a caller’s request id only if it is a UUID, because permanent entries must not identify people', async () => {
    const { db } = test.service.runtime;
    const uuid = 'B3B1B1F0-6C0E-4D6E-9B0A-0123456789ab';
    for (const [given, kept] of [
      ['marta.ruiz-12345678Z', null],
      [uuid, uuid],
    ] as const) {
      const headers = {
        authorization: `Bearer ${test.alice.token}`,
        'content-type': 'application/json',
        'x-request-id': given,
      };
      const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook' });
      const { template } = operationById('createWebhook');
      expect((await test.alice.raw('POST', template, { headers, body })).headers['x-request-id']).to.equal(given);
      const last = await db('audit_entries').orderBy('sequence', 'desc').first();
      expect(last?.correlation_id).to.equal(kept);
    }
  });

  it('is committed with the change that it records, or not at all', async () => {
    const { db } = test.service.runtime;
    const { data } = await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook' } });
    const before = (await entries()).length;
    const failing = db.transaction(async (trx) => {
      await pauseWebhook(trx, data.id ?? '', 'a test', new Date());
      throw new Error('too late');
    });
    expect(await failing.catch(({ message }: Error) => message)).to.equal('too late');
    expect(await entries()).to.have.length(before);
    await db.transaction((trx) => pauseWebhook(trx, data.id ?? '', 'a test', new Date()));
    const last = (await entries()).at(-1);
    expect(last).to.include({ action: 'webhook.pause', resource_id: data.id, actor_kind: 'service', actor: 'service' });
  });

  it('contains ids and no personal data', async () => {
    const told = JSON.stringify(await entries());
    for (const secret of [LEAD, OTHER, 'mail.example', 'Eva', 'Audited', '127.0.0.1'])
      expect(told, secret).to.not.include(secret);
  });

  it('is append-only: the database itself refuses to change or remove an entry', async () => {
    const { db } = test.service.runtime;
    const all = await entries();
    const refusal = 'The audit log is append-only.';
    const attempts = [
      () => db('audit_entries').update({ actor: 'someone else' }),
      () =>
        db('audit_entries')
          .where({ sequence: all[0]?.sequence ?? 0 })
          .update({ at: '2020-01-01T00:00:00.000Z' }),
      () => db('audit_entries').delete(),
      ...(dialect === 'postgres'
        ? [() => db('audit_entries').truncate()]
        : [() => db.raw('insert or replace into audit_entries select * from audit_entries limit 1')]),
    ];
    for (const attempt of attempts) {
      const message = await attempt().then(
        () => 'it was not refused',
        (error: Error) => error.message,
      );
      expect(message).to.include(refusal);
    }
    expect(await entries()).to.deep.equal(all);
  });
});
