import { expect } from 'chai';
import sharp from 'sharp';
import { sealText } from '../../core/secrets/secrets.ts';
import { reportLanguages, reportTextsOf } from '../../core/texts/report-texts.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { invitationPath, look } from '../../harness/service/links.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { makeReport } from '../../jobs/reports/make-report.ts';
import { requestReport } from '../../jobs/reports/reports.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { setScene } from '../console/scene.ts';

databases('either');

const ADDRESS = 'marta.ruiz@mail.example';

describe('results at the desk', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false', FORENSIC_OCR: 'false' });
  const db = () => test.service.runtime.db;
  const scene = suiteFixture(() => setScene(test));
  const ofAlice = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const agent = suiteFixture(() => MemberBrowser.signIn(test, 'agent', { ...ofAlice(), name: 'Ana Ruiz' }));
  const other = suiteFixture(() => MemberBrowser.signIn(test, 'agent', { ...ofAlice(), name: 'Biel Pons' }));
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));
  const at = (place: string) => `${place}${scene.examples[place]}`;
  const looks = () => db()('looks').orderBy(['at', 'id']);
  const audited = async (actor: string) => db()('audit_entries').where({ actor }).orderBy('sequence').pluck('action');

  it('an agent reads what an analysis found, in their language where it matters, and decides on a finding', async () => {
    const { text } = await agent.open(at('/analyses/'));
    const shown = readable(text);
    for (const words of ['There are strong signs that the document was changed.', 'Was, or should be', '2.280,40'])
      expect(shown).to.include(words);
    const [, form = ''] = /class="decide"([\s\S]*?)<\/form>/.exec(text) ?? [];
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
    const finding = { document: value('document'), rule: value('rule'), finding: value('finding') };
    const reason = 'The employer sent the original.';
    const decided = await agent.follow(
      await agent.act(`${at('/analyses/')}/decide`, { ...finding, decision: 'confirmed', reason }),
    );
    expect(decided).to.include('The decision is recorded.').and.include(reason).and.include('by a member');
    expect(decided).to.not.include(agent.id);
    expect(await audited(agent.id)).to.include.members(['forensic.read', 'forensic.decide']);
  });

  // A report each: all languages run at night.
  for (const language of isNightly ? reportLanguages : (['de'] as const))
    it(`what was found stands in ${language}, at the desk and in a report; the words of the check below it are marked as English`, async () => {
      const t = reportTextsOf(language);
      const words = [t.text('finding.revised-text'), t.text('finding-text.revised-text'), '3.280,40', '2.280,40'];
      const saw = 'in an earlier version of the file and reads';
      await db()('members').where({ id: agent.id }).update({ language });
      const { text } = await agent.open(at('/analyses/'));
      const [summary = '', details = ''] = text.split('<article class="analysis" lang="en"');
      for (const part of [summary, details]) for (const word of words) expect(readable(part)).to.include(word);
      expect(summary).to.not.include(saw);
      const by = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: 'Ana Ruiz' };
      const report = await requestReport(test.service.runtime, scene.examples['/applications/'] ?? '', language, by);
      await makeReport(test.service.runtime, report);
      const page = readable((await agent.open(`/reports/${report}/page`)).text);
      for (const word of words) expect(page).to.include(word);
      expect(page.replaceAll(/<p class="note" lang="en"[\s\S]*?<\/p>/g, '')).to.not.include(saw);
      expect(page).to.include(saw);
      await db()('reports').where({ id: report }).delete();
      await db()('members').where({ id: agent.id }).update({ language: null });
    });

  it('the pages of a document are pictures with who looks in their pixels, different for each viewer', async () => {
    const pictures = [];
    for (const viewer of [agent, other]) {
      const { text } = await viewer.open(at('/documents/'));
      expect(readable(text)).to.include('payslip-2024-05.pdf');
      const [, source = ''] = /<img src="([^"]+)"/.exec(text) ?? [];
      const picture = await viewer.browser.open(new URL(readable(source), viewer.base).href);
      expect(picture.headers.get('content-security-policy')).to.match(/^default-src 'none';.* sandbox/);
      const [, jpeg = ''] = /data:image\/jpeg;base64,([^"]+)/.exec(picture.text) ?? [];
      const { data } = await sharp(Buffer.from(jpeg, 'base64')).raw().toBuffer({ resolveWithObject: true });
      let red = 0;
      for (let pixel = 0; pixel < data.length; pixel += 3)
        if ((data[pixel] ?? 0) - (data[pixel + 1] ?? 0) > 12) red += 1;
      expect(red, 'pixels of the watermark').to.be.above(1_000);
      expect(picture.text).to.not.include('image/png');
      pictures.push(jpeg);
    }
    expect(pictures[0]).to.not.equal(pictures[1]);
  });

  it('pages beyond the end are an explanation, not an error', async () => {
    const { status, text } = await agent.open(`${at('/documents/')}?from=7`);
    expect(status).to.equal(200);
    expect(readable(text)).to.include('No page of it can be drawn');
    expect((await agent.open(`${at('/documents/')}/picture?page=9`)).text).to.include('This page could not be drawn');
  });

  it('the original is downloaded byte for byte, after a sign-in of the last quarter of an hour', async () => {
    const path = `${at('/documents/')}/original`;
    const { browser, base } = agent;
    const session = db()('member_sessions').where({ member_id: agent.id });
    const [{ created_at = '' } = {}] = await session.clone().select('created_at');
    await session.clone().update({ created_at: new Date(Date.now() - 16 * 60_000).toISOString() });
    const refused = await agent.act(path);
    expect(refused.status).to.equal(403);
    expect(readable(refused.text)).to.include('Confirm that it is you');
    expect(await audited(agent.id)).to.not.include('document.extract');
    await session.clone().update({ created_at });
    const [cookie] = browser.cookies.get(new URL(test.service.url).origin) ?? [];
    const csrf = /name="csrf" value="([^"]+)"/.exec((await agent.open('/')).text)?.[1] ?? '';
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { cookie: `desk=${cookie?.value}` },
      body: new URLSearchParams({ csrf }),
    });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-disposition')).to.match(/^attachment; filename="?payslip-2024-05\.pdf/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const row = await db()('documents')
      .where({ id: scene.examples['/documents/'] ?? '' })
      .first('size_bytes');
    expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-');
    expect(bytes).to.have.length(row?.size_bytes ?? 0);
    expect(await audited(agent.id)).to.include('document.extract');
  });

  it('the result of an identity verification is shown, and only what the key of the member asked for', async () => {
    const tenantId = scene.examples['/people/'] ?? '';
    const said = { tenant_id: tenantId, name: 'Marta Ruiz Gil', document_type: 'passport', session: 'vs_1' };
    const result = sealText(JSON.stringify(said), test.service.runtime.keys.encryption);
    await db()('kyc_verifications')
      .where({ tenant_id: tenantId })
      .update({ status: 'verified', result, due_at: null, finished_at: new Date().toISOString() });
    const shown = readable((await agent.open(`/people/${tenantId}/identity`)).text);
    expect(shown).to.include('Marta Ruiz Gil').and.include('passport').and.include('vs_1').and.include('verified');
    expect(await audited(agent.id)).to.include('kyc.read');
    const stranger = { landlordId: test.landlords.ours, clientIds: [test.bob.clientId] };
    const ofBob = await MemberBrowser.signIn(test, 'agent', stranger);
    expect((await ofBob.open(`/people/${tenantId}/identity`)).status).to.equal(404);
  });

  it('the person reads who looked, at what and when, by role, also of operators, and no name', async () => {
    await agent.open(`/people/${scene.examples['/people/']}`);
    await operator.open(at('/analyses/'));
    const { data } = await test.alice.ok('createApplication', {
      body: {
        title: 'Another flat',
        tenants: [
          { email: 'lead@mail.example', is_lead: true },
          { email: ADDRESS, is_lead: false },
        ],
      },
    });
    const link = await invitationPath(test, data.application_id, ADDRESS);
    const { text } = await look(test, `${link}/data`);
    const page = readable(text);
    const [, section = ''] = /Who looked([\s\S]*?)<\/section>/.exec(page) ?? [];
    for (const words of [
      'An agent of the landlord',
      'An operator of this service',
      'Your documents, as pictures',
      'The original of a document',
      'The result of the check of your documents',
      'The result of your identity check',
      'What has happened so far',
    ])
      expect(section).to.include(words);
    expect(section).to.match(/\d\d:\d\d/);
    for (const secret of ['Ana Ruiz', 'Biel Pons', agent.id, operator.name]) expect(page).to.not.include(secret);
  });

  it('the same look again within a quarter of an hour is one look for the person, and each is in the audit log', async () => {
    const before = await looks();
    const audits = (await audited(agent.id)).length;
    for (let time = 0; time < 3; time++) await agent.open(at('/analyses/'));
    expect(await looks()).to.deep.equal(before);
    expect(await audited(agent.id)).to.have.length(audits + 3);
    await db()('looks').update({ at: new Date(Date.now() - 16 * 60_000).toISOString() });
    await agent.open(at('/analyses/'));
    expect(await looks()).to.have.length(before.length + 1);
  });

  it('another landlord’s person reads nothing of it', async () => {
    const { data } = await test.charlie.ok('createApplication', {
      body: {
        title: 'Villa',
        tenants: [
          { email: 'lead@mail.example', is_lead: true },
          { email: ADDRESS, is_lead: false },
        ],
      },
    });
    const link = await invitationPath(test, data.application_id, ADDRESS);
    expect(readable((await look(test, `${link}/data`)).text)).to.not.include('An agent of the landlord');
  });

  it('nothing of a person is shown once they have left every application of the key', async () => {
    const tenantId = scene.examples['/people/'] ?? '';
    const of = await db().transaction((trx) => ofTheirKey(trx, tenantId));
    await db()('participants')
      .whereIn('application_id', db()('applications').where({ api_key_id: of.api_key_id }).select('id'))
      .where({ email: ADDRESS })
      .update({ removed_at: new Date().toISOString() });
    const before = await looks();
    for (const path of ['', '/picture'].flatMap((file) => [
      `${at('/documents/')}${file}`,
      `${at('/analyses/')}${file}`,
    ]))
      expect((await agent.open(path)).status, path).to.equal(404);
    expect((await agent.open(`/people/${tenantId}/identity`)).status).to.equal(404);
    for (const path of [`${at('/documents/')}/original`, `${at('/analyses/')}/rerun`])
      expect((await agent.act(path)).status, path).to.equal(404);
    expect(await looks()).to.deep.equal(before);
    expect((await operator.open(at('/documents/'))).status).to.equal(200);
  });
});
