import { expect } from 'chai';
import { Admin } from '../harness/admin.ts';
import { dialect } from '../harness/databases.ts';
import { Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const SECRET = 'whsec_bm93aGVyZSBpbiBhbnkgbGlzdCBvZiB0aGUgY29tbWFuZCBsaW5l';
const EMAIL = 'lists+kyc-verified+eid-verified@mail.example';

type Row = Record<string, unknown>;

describe(`the command line’s lists of background work on ${dialect}`, () => {
  let test: TestService;
  let admin: Admin;
  let good: Receiver;
  let bad: Receiver;
  let tenantId: string;

  before(async () => {
    test = await startTestService();
    admin = new Admin(test);
    good = await Receiver.start();
    bad = await Receiver.start();
    bad.answer = () => 500;
    tenantId = (await test.tenant(EMAIL, { documents: 1 })).id;
    await test.alice.ok('createApplication', { body: { title: 'Lists', tenants: [{ email: EMAIL, is_lead: true }] } });
    for (const body of [{ url: bad.url, secret: SECRET }, { url: good.url }])
      await test.alice.ok('createWebhook', { body });
    const params = { tenantId };
    await test.alice.ok('initiateKyc', { params });
    await test.alice.ok('initiateEid', { params, body: { redirect_url: 'https://letting.example/' } });
    await until('every event was told once to each', async () => {
      const { db } = test.service.runtime;
      const told = await db('deliveries').where('attempts', '>', 0).select('id');
      // eID brings a document, and with it a second analysis may follow the first.
      const open = await db('forensic_runs').whereIn('status', ['pending', 'processing']).first('id');
      return !open && told.length >= 6 && told.length === (await db('deliveries').select('id')).length;
    });
  });
  after(async () => {
    await Promise.all([good.stop(), bad.stop()]);
    await test.stop();
  });

  it('show a delivery’s event, address, status, attempts, last status and error, and moments', async () => {
    const rows = await admin.json<Row[]>('delivery', 'list');
    const about = (to: string) => rows.find(({ event, url }) => event === 'KYC_VERIFICATION_DATA' && url === to);
    const refused = about(bad.url);
    expect(refused).to.include({ tenant_id: tenantId, status: 'pending', last_status_code: 500 });
    expect(refused).to.include({ last_error: 'answered 500', failure: null, finished_at: null });
    expect(refused?.['delivery_id']).to.match(/^msg_/);
    expect(refused?.['attempts']).to.be.at.least(1);
    for (const moment of ['created_at', 'next_attempt_at'])
      expect(refused?.[moment]).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(about(good.url)).to.include({ status: 'delivered', last_status_code: 200, last_error: null });
    const human = await admin.text('delivery', 'list');
    expect(human).to.match(/^delivery id +event +url +status +attempts +last error +created at\n/);
    for (const { delivery_id } of rows) expect(human).to.include(String(delivery_id));
  });

  it('choose by status and limit, the newest first', async () => {
    const all = await admin.json<Row[]>('delivery', 'list');
    const moments = all.map(({ created_at }) => created_at);
    expect(moments).to.deep.equal([...moments].sort().reverse());
    for (const [status, receiver] of [
      ['delivered', good],
      ['pending', bad],
    ] as const) {
      const rows = await admin.json<Row[]>('delivery', 'list', '--status', status);
      expect(rows).to.not.be.empty;
      for (const row of rows) expect(row).to.include({ status, url: receiver.url });
    }
    expect(await admin.json<Row[]>('delivery', 'list', '--status', 'failed')).to.deep.equal([]);
    expect(await admin.text('delivery', 'list', '--status', 'failed')).to.match(/no such deliveries/);
    const [newest, ...others] = await admin.json<Row[]>('delivery', 'list', '--limit', '1');
    expect(newest?.['delivery_id']).to.equal(all[0]?.['delivery_id']);
    expect(others).to.deep.equal([]);
    expect(await admin.text('delivery', 'list', '--limit', '1')).to.match(/newest 1; --limit shows more\.\n$/);
    expect(await admin.text('kyc', 'list', '--limit', '1')).to.not.match(/--limit/);
    for (const limit of ['0', '-1', '1.5', 'all', '1001'])
      await admin.refused(2, ['delivery', 'list', '--limit', limit]);
    await admin.refused(2, ['delivery', 'list', '--status', 'lost']);
  });

  it('show how each tenant’s verifications and analyses ended', async () => {
    for (const [noun, status] of [
      ['kyc', 'verified'],
      ['eid', 'succeeded'],
      ['forensic', 'completed'],
    ] as const) {
      const [row] = await admin.json<Row[]>(noun, 'list', '--status', status);
      expect(row, noun).to.include({ tenant_id: tenantId, email: EMAIL, status, failures: 0, failure: null });
      expect(row?.[`${noun}_id`], noun).to.be.a('string');
      expect(row?.['finished_at'], noun).to.be.a('string');
      const human = await admin.text(noun, 'list');
      expect(human)
        .to.match(/^tenant id +email +status +failure +created at +finished at\n/)
        .and.include(tenantId);
    }
  });

  it('choose among all the states that a verification has', async () => {
    const states = {
      kyc: ['pending', 'verified', 'rejected', 'failed', 'expired'],
      eid: ['pending', 'downloading', 'succeeded', 'cancelled', 'failed', 'expired'],
    };
    for (const [noun, statuses] of Object.entries(states))
      for (const status of statuses) {
        const rows = await admin.json<Row[]>(noun, 'list', '--status', status);
        const ended = status === 'verified' || status === 'succeeded';
        expect(rows.map((row) => row['status'])).to.deep.equal(ended ? [status] : []);
      }
  });

  it('show no secret, sealed or plain', async () => {
    const row = await test.service.runtime.db('webhooks').where({ url: bad.url }).first();
    const rows = await admin.json<Row[]>('webhook', 'list');
    const shown = rows.find(({ webhook_id }) => webhook_id === row?.id);
    expect(shown).to.include({ url: bad.url, status: 'active', signed: true, client_id: test.alice.clientId });
    expect(shown?.['last_triggered_at']).to.be.a('string');
    expect(rows.find(({ url }) => url === good.url)).to.include({ signed: false });
    const human = await admin.text('webhook', 'list');
    expect(human).to.match(/^webhook id +url +status +signed +api key name +last triggered at\n/);
    for (const printed of [JSON.stringify(rows), human, await admin.text('delivery', 'list', '--json')]) {
      expect(printed).to.include(bad.url);
      for (const secret of [SECRET, SECRET.slice('whsec_'.length), row?.sealed_secret ?? SECRET])
        expect(printed).to.not.include(secret);
    }
  });
});
