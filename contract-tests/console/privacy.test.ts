import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { csrfIn, readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { unzip } from '../../harness/process/unzip.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

databases('either');

const DAY_MS = 86_400_000;

describe('requests about personal data in the console', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false', RETAIN_DOCUMENTS_DAYS: '30' });
  const scene: Scene = suiteFixture(() => setScene(test));
  const admin = new Admin(test);
  let operator: OperatorBrowser;
  beforeEach(async () => {
    operator = await OperatorBrowser.signIn(test, 'operator');
  });
  afterEach(() => test.setNow(new Date()));

  const db = () => test.service.runtime.db;
  const participantId = () => scene.examples['/privacy/requests/'] ?? expect.fail('no one asked');
  const actionsOn = (resource_id: string) =>
    db()('audit_entries').where({ actor: operator.name, resource_id }).orderBy('sequence').pluck('action');

  it('shows open requests with their deadline, and what retention removes next and when', async () => {
    const text = readable((await operator.open('/privacy')).text);
    const request = await db()('erasure_requests').first();
    expect(text).to.include('jonas.weber@mail.example').and.include(request?.due_at.slice(0, 10));
    const { created_at } = (await db()('documents').orderBy('created_at').first()) ?? expect.fail('no document');
    const next = new Date(Date.parse(created_at) + 30 * DAY_MS).toISOString();
    expect(text).to.include(next).and.not.include('overdue');
    test.setNow(new Date(Date.now() + 29 * DAY_MS));
    const later = await OperatorBrowser.signIn(test, 'viewer');
    expect((await later.open('/privacy')).text)
      .to.include('overdue')
      .and.not.include('>due<');
    test.setNow(new Date(Date.now() + 31 * DAY_MS));
    expect((await (await OperatorBrowser.signIn(test, 'viewer')).open('/privacy')).text).to.include('>due<');
  });

  it('exports a person’s data as a file, for all landlords or one, and audits it', async () => {
    const tenant = scene.examples['/people/'] ?? '';
    const files = await download({ who: tenant });
    expect([...files.keys()]).to.include.members(['README.txt', 'data.json']);
    const held = await db()('documents').where({ tenant_id: tenant });
    expect(held).to.not.have.length(0);
    expect([...files.keys()].filter((name) => name.startsWith('documents/'))).to.have.length(held.length);
    const others = await download({ who: tenant, landlord: test.landlords.other });
    expect([...others.keys()].filter((name) => name.startsWith('documents/'))).to.deep.equal([]);
    expect((await actionsOn(tenant)).filter((action) => action === 'tenant.export')).to.have.length(2);
  });

  it('refuses to export for a viewer, or for a person without data', async () => {
    const viewer = await OperatorBrowser.signIn(test, 'viewer');
    expect((await viewer.open(`/privacy/requests/${participantId()}`)).text).to.not.match(/Download|Erase<|Refuse</);
    expect((await viewer.act('/privacy/export', { who: 'jonas.weber@mail.example' })).status).to.equal(403);
    for (let time = 0; time < 4; time++)
      expect((await operator.act('/privacy/export', { who: 'nobody@mail.example' })).status).to.equal(404);
    expect((await operator.act('/privacy/export', { who: 'x@y.example', landlord: 'nobody' })).status).to.equal(404);
  });

  it('previews an erasure, erases after “yes” is typed, and returns the command line’s receipt', async () => {
    const who = 'jonas.weber@mail.example';
    const preview = await operator.act('/privacy/preview', { who });
    expect(readable(preview.text)).to.include('It cannot be undone.').and.include('Nothing was changed yet');
    expect((await operator.act('/privacy/erase', { who })).status).to.equal(400);
    expect(await db()('participants').where({ email: who })).to.have.length(1);
    const erased = await operator.act('/privacy/erase', { who, confirm: 'Yes' });
    const receipt = JSON.parse(readable(/<pre[^>]*>([^<]+)<\/pre>/.exec(erased.text)?.[1] ?? ''));
    const { sha256, ...rest } = receipt;
    expect(createHash('sha256').update(JSON.stringify(rest)).digest('hex')).to.equal(sha256);
    expect(receipt).to.include({ dry_run: false, tenant_id: null });
    expect(await db()('erasure_requests').first()).to.include({ outcome: 'erased' });
    expect(await db()('participants').where({ email: who })).to.have.length(0);
    expect(await actionsOn(participantId())).to.include('tenant.erase');
    expect((await operator.act('/privacy/erase', { who, confirm: 'yes' })).text).to.include('Nothing is held');
    expect((await operator.open(`/privacy/requests/${participantId()}`)).status).to.equal(404);
  });

  it('refuses a request with a reason that the person reads, once', async () => {
    const lead = await db()('participants').where({ email: 'marta.ruiz@mail.example' }).first('id');
    const id = lead?.id ?? '';
    const key = (await db()('api_keys').where({ client_id: test.alice.clientId }).first('id'))?.id ?? '';
    const moment = new Date().toISOString();
    await db()('erasure_requests').insert({
      participant_id: id,
      api_key_id: key,
      requested_at: moment,
      due_at: moment,
    });
    expect((await operator.act(`/privacy/requests/${id}/refuse`)).status).to.equal(400);
    const reason = 'The contract is kept until May.';
    expect((await operator.act(`/privacy/requests/${id}/refuse`, { reason })).status).to.equal(303);
    expect((await operator.act(`/privacy/requests/${id}/refuse`, { reason })).status).to.equal(409);
    expect(await db()('erasure_requests').where({ participant_id: id }).first()).to.include({
      outcome: 'refused',
      reason,
    });
    expect(await actionsOn(id)).to.deep.equal(['participant.refuse-erasure']);
    expect(await admin.json('privacy', 'requests')).to.deep.equal([]);
  });

  async function download(form: Record<string, string>) {
    const csrf = csrfIn((await operator.open('/')).text);
    const [cookie] = operator.browser.cookies.get(new URL(operator.base).origin) ?? [];
    const answer = await fetch(`${operator.base}/privacy/export`, {
      method: 'POST',
      headers: { cookie: `console=${cookie?.value}` },
      body: new URLSearchParams({ csrf, ...form }),
    });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-disposition')).to.match(/^attachment; filename="?person-/);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    return unzip(Buffer.from(await answer.arrayBuffer()));
  }
});
