import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sealText, unsealJson } from '../../core/secrets/secrets.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { aMinuteLater } from '../../harness/service/minute-later.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const SECRET = 'whsec_ZXZlbnRzIG1heSBiZSBsb3N0IG9uIHRoZSB3YXkuLi4u';
const QUEUED = { processing_status: 'QUEUED', added_to_queue: true };

describe('a forensic analysis whose event was lost', () => {
  const test = useService();
  const admin = new Admin(test);
  const receiver = suiteFixture(() => Receiver.start());
  let analyses = 0;
  before(async () => {
    test.service.runtime.work.on('document analysed', () => analyses++);
    for (const client of [test.alice, test.bob])
      await client.ok('createWebhook', { body: { url: receiver.url, secret: SECRET } });
  });
  beforeEach(() => {
    analyses = 0;
  });

  const run = async (tenantId: string, client = test.alice) =>
    (await client.ok('runForensic', { params: { tenantId } })).data;
  const runs = (tenant_id: string) =>
    test.service.runtime.db('forensic_runs').where({ tenant_id }).orderBy('created_at').orderBy('id');
  const ended = (tenantId: string, count: number) =>
    eventually(`${count} analyses of ${tenantId} have ended`, async () => {
      const all = await runs(tenantId);
      return all.length === count && all.every(({ finished_at }) => finished_at !== null) && all;
    });
  const told = async (tenantId: string, count: number) => {
    const ofTenant = () =>
      receiver.received.filter(
        ({ event, data }) => event === 'FORENSIC_ANALYSIS_DATA' && data?.['tenant_id'] === tenantId,
      );
    await eventually(`${count} events about ${tenantId}`, () => ofTenant().length >= count);
    return ofTenant();
  };
  /** A tenant whose documents were analysed once. @returns the tenant's id */
  const analysed = async (name: string, documents: number, client: Client = test.alice) => {
    const email = `${name}+kyc-verified+eid-verified@mail.example`;
    await client.ok('createApplication', { body: { title: name, tenants: [{ email, is_lead: true }] } });
    const { id: tenantId } = await test.tenant(email, { documents });
    await client.ok('initiateKyc', { params: { tenantId } });
    await told(tenantId, 1);
    return tenantId;
  };
  /** Triggers another analysis and waits for its end. @returns how many documents it analysed */
  const again = async (tenantId: string, client = test.alice) => {
    const before = analyses;
    const count = (await runs(tenantId)).length + 1;
    await aMinuteLater(test.service.runtime.db, tenantId);
    expect(await run(tenantId, client)).to.deep.equal(QUEUED);
    await ended(tenantId, count);
    return analyses - before;
  };

  it('is not repeated: a call a minute later is QUEUED, completes with the stored result and sends its event', async () => {
    const tenantId = await analysed('polled', 2);
    for (let poll = 0; poll < 24; poll++) expect(await again(tenantId), `poll ${poll}`).to.equal(0);
    expect(analyses, 'documents analysed').to.equal(2);
    const all = await runs(tenantId);
    expect(all.map(({ status }) => status)).to.deep.equal(Array.from({ length: 25 }, () => 'completed'));
    const [original, ...later] = all;
    expect(original?.result_of).to.equal(null);
    for (const { result, result_of } of later)
      expect({ result, result_of }).to.deep.equal({ result: null, result_of: original?.id });
    const events = await told(tenantId, 25);
    expect(new Set(events.map(({ headers }) => headers['webhook-id'])).size).to.equal(25);
    for (const { data } of events) expect(data).to.deep.equal(events[0]?.data);
  });

  it('runs again when a document was added, changed or deleted', async () => {
    const { db } = test.service.runtime;
    const email = 'documents+kyc-verified+eid-verified@mail.example';
    const tenantId = await analysed('documents', 1);
    await test.tenant(email, { documents: 1 });
    await ended(tenantId, 2);
    expect(analyses, 'an added one').to.equal(3);
    expect(await again(tenantId), 'the same').to.equal(0);
    const [first, second] = await db('documents').where({ tenant_id: tenantId }).orderBy('created_at').orderBy('id');
    await db('documents')
      .where({ id: second?.id ?? '' })
      .update({ name: 'renamed.pdf' });
    expect(await again(tenantId), 'one of another name').to.equal(2);
    await db('documents')
      .where({ id: first?.id ?? '' })
      .delete();
    expect(await again(tenantId), 'one less').to.equal(1);
    expect(await again(tenantId), 'the same').to.equal(0);
  });

  it('runs again for another version of the engine or of a rule', async () => {
    const tenantId = await analysed('edition', 1);
    const { forensics } = test.service.runtime;
    const { edition } = forensics;
    try {
      const text = await edition();
      for (const other of [text.replace(/@(\d)/, '@9$1'), text.replace(/(seen-elsewhere@)\d+/, '$199')]) {
        expect(other).not.to.equal(text);
        forensics.edition = async () => other;
        expect(await again(tenantId), other).to.equal(1);
        expect(await again(tenantId), 'the same').to.equal(0);
      }
    } finally {
      forensics.edition = edition;
    }
    expect(await again(tenantId), 'of the first version there is a result still').to.equal(0);
  });

  it('runs again when the result was erased, or no key opens it', async () => {
    const { db } = test.service.runtime;
    const tenantId = await analysed('erased', 1);
    await db('forensic_runs').where({ tenant_id: tenantId }).update({ result: null });
    expect(await again(tenantId)).to.equal(1);
    expect(await again(tenantId), 'the same').to.equal(0);
    const lost = sealText('{}', { current: randomBytes(32) });
    await db('forensic_runs').where({ tenant_id: tenantId }).whereNotNull('result').update({ result: lost });
    expect(await again(tenantId)).to.equal(1);
  });

  it('needs no documents: once they are deleted, the latest stored result is sent', async () => {
    const { db } = test.service.runtime;
    const tenantId = await analysed('deleted', 1);
    await db('documents').where({ tenant_id: tenantId }).delete();
    expect(await again(tenantId)).to.equal(0);
    const [first, second] = await told(tenantId, 2);
    expect(second?.data).to.deep.equal(first?.data);
  });

  it('runs for another API key, even of the same landlord', async () => {
    const { db } = test.service.runtime;
    const email = 'keys+kyc-verified+eid-verified@mail.example';
    const tenantId = await analysed('keys', 1);
    await test.bob.ok('createApplication', { body: { title: 'Of Bob', tenants: [{ email, is_lead: true }] } });
    const bob = await db('api_keys').where({ client_id: test.bob.clientId }).first('id');
    await test.tenant(email, { documents: 1, apiKeyId: bob?.id ?? '' });
    await test.bob.ok('initiateKyc', { params: { tenantId } });
    await ended(tenantId, 2);
    expect(analyses).to.equal(2);
    expect(await again(tenantId, test.bob), 'the same').to.equal(0);
    const latest = (await runs(tenantId)).at(-1);
    const source = (await runs(tenantId)).find(({ id }) => id === latest?.result_of);
    expect(source?.api_key_id).to.equal(bob?.id);
  });

  it('is shown to operators under the run that reused it, and runs again on their request', async () => {
    const { db, keys } = test.service.runtime;
    const tenantId = await analysed('shown', 1);
    expect(await again(tenantId)).to.equal(0);
    const [original, reused] = await runs(tenantId);
    const stored = JSON.parse(unsealJson(original?.result ?? '', keys.encryption));
    const show = (id = '') => admin.json<{ forensic_id: string; result: unknown }>('forensics', 'show', id);
    expect(await show(reused?.id)).to.deep.include({ forensic_id: reused?.id, result: stored });
    expect(await show(tenantId)).to.deep.include({ forensic_id: original?.id, result: stored });
    await admin.json('forensics', 'run', tenantId, '--again');
    await ended(tenantId, 3);
    expect(analyses).to.equal(2);
    await db('forensic_runs').where({ tenant_id: tenantId }).update({ result: null });
    expect(await admin.refused(1, ['forensics', 'show', reused?.id ?? ''])).to.include('erased');
  });
});
