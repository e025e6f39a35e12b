import { expect } from 'chai';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const MINUTE_MS = 60_000;
const PENDING = { processing_status: 'PENDING', added_to_queue: false };
const QUEUED = { processing_status: 'QUEUED', added_to_queue: true };

describe('a forensic result is sent again at most once a minute', () => {
  const test = useService();
  const admin = new Admin(test);
  const receivers = suiteFixture(async () => {
    const all = await Promise.all([Receiver.start(), Receiver.start()]);
    return { all, stop: () => Promise.all(all.map((receiver) => receiver.stop())) };
  });
  before(async () => {
    for (const { url } of receivers.all) await test.alice.ok('createWebhook', { body: { url } });
  });

  const run = async (tenantId: string, client = test.alice) =>
    (await client.ok('runForensic', { params: { tenantId } })).data;
  const runs = (tenant_id: string) => test.service.runtime.db('forensic_runs').where({ tenant_id }).orderBy('id');
  const eventsAt = (receiver: Receiver | undefined, tenantId: string) =>
    (receiver?.received ?? []).filter(
      ({ event, data }) => event === 'FORENSIC_ANALYSIS_DATA' && data?.['tenant_id'] === tenantId,
    );
  const counts = (tenantId: string) => receivers.all.map((receiver) => eventsAt(receiver, tenantId).length);
  const received = (tenantId: string, count: number) =>
    eventually(`${count} results of ${tenantId} arrived at each webhook`, () =>
      counts(tenantId).every((arrived) => arrived >= count),
    );
  const emailOf = (name: string) => `${name}+kyc-verified+eid-verified@mail.example`;
  const analysed = async (name: string) => {
    const { id: tenantId } = await test.tenant(emailOf(name), { of: test.alice, documents: 1 });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await received(tenantId, 1);
    return tenantId;
  };
  const makeDue = async (tenant_id: string) => {
    const due_at = new Date().toISOString();
    await test.service.runtime.db('forensic_runs').where({ tenant_id, status: 'pending' }).update({ due_at });
  };

  it('to each webhook, for 100 calls: they are PENDING, and one result follows at the end of the minute', async () => {
    const tenantId = await analysed('polled');
    for (let call = 0; call < 50; call++) expect(await run(tenantId), `call ${call}`).to.deep.equal(PENDING);
    const others = await Promise.all(Array.from({ length: 50 }, () => run(tenantId)));
    expect(others).to.deep.equal(others.map(() => PENDING));
    const [sent, waiting, ...more] = await runs(tenantId);
    expect(more).to.be.empty;
    expect(waiting?.status).to.equal('pending');
    expect(Date.parse(waiting?.due_at ?? '')).to.equal(Date.parse(sent?.finished_at ?? '') + MINUTE_MS);
    expect(counts(tenantId)).to.deep.equal([1, 1]);
    await makeDue(tenantId);
    await received(tenantId, 2);
    expect(await run(tenantId)).to.deep.equal(PENDING);
    expect(counts(tenantId)).to.deep.equal([2, 2]);
  });

  it('also when the person takes a document away and brings it back, again and again', async () => {
    const { db } = test.service.runtime;
    const email = emailOf('undone');
    const tenants = [email, 'lead-of-undone@mail.example'].map((one) => ({ email: one, is_lead: one !== email }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const path = await invitationPath(test, application_id, email);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    const body = new FormData();
    body.append('type', 'payslip');
    body.append('file', new Blob([new Uint8Array(sampleDocument([`Payslip of ${email}`]))]), 'file.pdf');
    await fetch(`${test.service.url}${path}/documents`, { method: 'POST', body, redirect: 'manual' });
    const tenantId = (await db('tenants').where({ email }).first('id'))?.id ?? '';
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await received(tenantId, 1);
    const [id] = await db('documents').where({ tenant_id: tenantId }).pluck('id');
    for (let time = 0; time < 3; time++)
      for (const what of ['remove', 'restore']) await submit(test, `${path}/documents/${id}/${what}`, {});
    const sent = (await runs(tenantId)).find(({ status }) => status === 'completed');
    const waiting = (await runs(tenantId)).filter(({ status }) => status === 'pending');
    expect(waiting.map(({ due_at }) => Date.parse(due_at ?? ''))).to.deep.equal([
      Date.parse(sent?.finished_at ?? '') + MINUTE_MS,
    ]);
    expect(counts(tenantId)).to.deep.equal([1, 1]);
  });

  it('whichever process is asked', async () => {
    const tenantId = await analysed('processes');
    const { database } = test.config;
    const other = await startTestService({ ...settingsOf(database), DATA_DIR: test.folder, RUN_WORKERS: 'false' });
    try {
      const there = new Client(other.service.url, test.alice.clientId, test.alice.clientSecret);
      await there.authenticate();
      const calls = Array.from({ length: 20 }, (_, call) => run(tenantId, call % 2 ? there : test.alice));
      expect(await Promise.all(calls)).to.deep.equal(calls.map(() => PENDING));
    } finally {
      await other.stop();
    }
    expect((await runs(tenantId)).map(({ status }) => status)).to.deep.equal(['completed', 'pending']);
  });

  it('but documents that arrive meanwhile are analysed at once', async () => {
    const tenantId = await analysed('arrives');
    expect(await run(tenantId)).to.deep.equal(PENDING);
    await test.tenant(emailOf('arrives'), { documents: 1 });
    await received(tenantId, 2);
    const [, second] = eventsAt(receivers.all[0], tenantId);
    expect(second?.data?.['documents']).to.have.length(2);
    const [before, after, ...more] = await runs(tenantId);
    expect(more).to.be.empty;
    expect(Date.parse(after?.finished_at ?? '') - Date.parse(before?.finished_at ?? '')).to.be.below(MINUTE_MS);
  });

  it('but an operator does not wait', async () => {
    const tenantId = await analysed('operator');
    expect(await run(tenantId)).to.deep.equal(PENDING);
    await admin.json('forensics', 'run', tenantId);
    await received(tenantId, 2);
    const [before, after, ...more] = await runs(tenantId);
    expect(more).to.be.empty;
    expect(Date.parse(after?.finished_at ?? '') - Date.parse(before?.finished_at ?? '')).to.be.below(MINUTE_MS);
  });

  it('to each API key, and not for another key that asked', async () => {
    const tenantId = await analysed('keys');
    await test.tenant(emailOf('keys'), { of: test.bob });
    const bob = await test.service.runtime.db('api_keys').where({ client_id: test.bob.clientId }).first('id');
    await test.tenant(emailOf('keys'), { documents: 1, apiKeyId: bob?.id ?? '' });
    await test.bob.ok('initiateKyc', { params: { tenantId } });
    await eventually('the analysis of Bob has ended', async () =>
      (await runs(tenantId)).some(({ api_key_id, status }) => api_key_id === bob?.id && status === 'completed'),
    );
    await test.service.runtime
      .db('forensic_runs')
      .where({ tenant_id: tenantId, api_key_id: bob?.id ?? '' })
      .update({ finished_at: new Date(Date.now() - MINUTE_MS).toISOString() });
    expect(await run(tenantId, test.bob)).to.deep.equal(QUEUED);
    expect(await run(tenantId)).to.deep.equal(PENDING);
  });
});
