import { expect } from 'chai';
import { noteProgress } from '../../db/reports/reports.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { makeReport } from '../../jobs/reports/make-report.ts';
import { viewerOf } from '../../jobs/reports/reports.ts';

databases('either');

describe('reports and income at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const of = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const agent = suiteFixture(() => MemberBrowser.signIn(test, 'agent', { ...of(), name: 'Ada Berg' }));
  const reader = suiteFixture(() => MemberBrowser.signIn(test, 'agent', { ...of(), name: 'Jo Lind' }));
  const db = () => test.service.runtime.db;
  const texts = async (browser: MemberBrowser, path: string) => readable((await browser.open(path)).text);
  let application = '';
  let report = '';

  before(async () => {
    const email = 'marta.ruiz@mail.example';
    await test.tenant(email, { name: 'Marta Ruiz' });
    const body = { title: 'Garden flat', tenants: [{ email, is_lead: true }] };
    application = (await test.alice.ok('createApplication', { body })).data.application_id;
  });
  const ask = async (browser: MemberBrowser, form: Record<string, string> = {}) => {
    const { location } = await browser.act(`/applications/${application}/reports`, form);
    return /reports\/([\w-]{36})/.exec(location ?? '')?.[1] ?? expect.fail('no report');
  };

  it('a report is requested, shows its progress, and is ready for the member whose name it bears', async () => {
    report = await ask(agent, { language: 'es' });
    const { text } = await agent.open(`/reports/${report}`);
    expect(text).to.include('data-waits').and.include('wait.js');
    expect(readable(text)).to.include('It is waiting for its turn');
    await noteProgress(db(), report, { done: 1, total: 3 });
    expect(await texts(agent, `/reports/${report}`)).to.include('1 of 3 steps are done');
    expect((await agent.act(`/reports/${report}/file`)).status).to.equal(409);
    await makeReport(test.service.runtime, report);
    expect((await agent.open(`/reports/${report}`)).text).to.not.include('data-waits');
    const row = await db()('reports').where({ id: report }).first();
    expect(row && viewerOf(row, test.service.runtime)).to.equal('Ada Berg');
    const file = await agent.act(`/reports/${report}/file`);
    expect(file.headers.get('content-disposition')).to.include(`report-${report}.pdf`);
    expect(file.text).to.match(/^%PDF-1\.7/);
    expect(await texts(agent, `/applications/${application}/reports`))
      .to.include('Ada Berg')
      .and.include('ready');
  });

  it('it is read as a page by every member of the key, in its language; a file bears the name of who downloads it', async () => {
    for (const browser of [agent, reader]) {
      const page = await texts(browser, `/reports/${report}/page`);
      expect(page).to.include('marta.ruiz@mail.example').and.include('Decide una persona').and.include('Garden flat');
    }
    expect(await texts(reader, `/reports/${report}/page`))
      .to.include('Jo Lind')
      .and.not.include('Ada Berg');
    expect(await texts(reader, `/reports/${report}`)).to.include('Make a report of your own');
    expect((await reader.act(`/reports/${report}/file`)).status).to.equal(409);
    const own = await ask(reader);
    await makeReport(test.service.runtime, own);
    expect((await reader.act(`/reports/${own}/file`)).text).to.match(/^%PDF-1\.7/);
  });

  it('each reading and download is recorded, and shown with the name of the member', async () => {
    const entries = await db()('audit_entries').where({ resource_id: report }).orderBy('sequence');
    expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal([
      ['report.make', agent.id],
      ['report.read', agent.id],
      ['report.read', agent.id],
      ['report.read', reader.id],
      ['report.read', reader.id],
    ]);
    expect(await texts(agent, `/reports/${report}`))
      .to.match(/Read or downloaded <span class="soft">by <bdi>Jo Lind/)
      .and.match(/Requested <span class="soft">by <bdi>Ada Berg/);
  });

  it('it is shared by a link that is shown once, whose looks are listed, and which is revoked', async () => {
    const shared = await agent.act(`/reports/${report}/share`, { viewer: 'Herr Müller', days: '7' });
    const [, link = ''] = /<pre[^>]*>([^<]+)<\/pre>/.exec(shared.text) ?? [];
    const [, copy = ''] = /reports\/([\w-]{36})">Who looked/.exec(shared.text) ?? [];
    expect(copy).to.not.equal(report);
    await makeReport(test.service.runtime, copy);
    const inDays = (Date.parse(await endOf(copy)) - Date.now()) / 86_400_000;
    expect(Math.round(inDays)).to.equal(7);
    expect(await texts(agent, `/reports/${report}`))
      .to.include('Herr Müller')
      .and.include('valid until');
    expect(await texts(agent, `/reports/${copy}`)).to.include('No one has opened the link yet');
    expect(await (await fetch(link, { headers: { accept: 'text/html' } })).text()).to.include('Herr Müller');
    expect((await fetch(`${link}/report.pdf`)).status).to.equal(200);
    const page = await agent.open(`/reports/${copy}`);
    expect(readable(page.text)).to.include('opened the page').and.include('downloaded the PDF');
    expect(page.text).to.not.include(new URL(link).pathname);
    expect(await agent.follow(await agent.act(`/reports/${copy}/revoke`))).to.include('The link no longer works');
    expect((await fetch(link, { headers: { accept: 'text/html' } })).status).to.equal(404);
    expect(await agent.follow(await agent.act(`/reports/${copy}/revoke`))).to.include('it was already so');
  });

  it('a form that shares with a mistake says what to mend', async () => {
    const mistakes: [Record<string, string>, string][] = [
      [{ days: '7' }, 'Give the name of the reader'],
      [{ viewer: 'x'.repeat(121), days: '7' }, 'at most 120 characters'],
      [{ viewer: 'Herr Müller', days: 'always' }, 'for how many days'],
    ];
    for (const [form, words] of mistakes) {
      const { status, text } = await agent.act(`/reports/${report}/share`, form);
      expect(status, words).to.equal(400);
      expect(readable(text)).to.include(words);
    }
    const open = await ask(agent);
    const early = await agent.act(`/reports/${open}/share`, { viewer: 'Herr Müller', days: '7' });
    expect(early.status).to.equal(409);
    expect(readable(early.text)).to.include('is not ready');
  });

  it('no more reports of an application wait than may', async () => {
    for (let number = 1; number < test.service.runtime.reports.maxWaiting; number += 1) await ask(agent);
    const answer = await agent.act(`/applications/${application}/reports`);
    expect(answer.status).to.equal(409);
    expect(readable(answer.text)).to.include('Several reports of this application');
  });

  it('the income says what is known and what is not, that a person decides, and who looked is recorded', async () => {
    const page = await texts(reader, `/applications/${application}/income`);
    expect(page).to.include('a person decides').and.include('No bank is connected').and.include('No property');
    expect(page).to.include('marta.ruiz@mail.example').and.include('not known');
    const read = await db()('audit_entries').where({ action: 'tenant.read', actor: reader.id });
    expect(read).to.have.length(1);
  });

  const endOf = async (id: string) => (await db()('reports').where({ id }).first())?.token_expires_at ?? '';
});
