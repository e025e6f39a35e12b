import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { invitationPath, look } from '../../harness/service/links.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';

databases('both');

const [LEAD, GUEST, GUARANTOR] = ['rosa@mail.example', 'teo@mail.example', 'gil@mail.example'] as const;

describe('the people of an application at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'admin' | 'agent') =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const agent = suiteFixture(() => signIn('agent'));

  before(async () => {
    const admin = await signIn('admin');
    await admin.follow(await admin.act('/settings', { documents: 'payslip:3', guarantor_documents: 'tax_assessment' }));
  });

  const create = async (title: string, form: Record<string, string>) => {
    const answer = await agent.act('/applications/new', { client_id: test.alice.clientId, title, ...form });
    const page = await agent.follow(answer);
    const [, id = ''] = /applications\/([\w-]{36})/.exec(answer.location ?? '') ?? [];
    return { id, page };
  };
  const importAll = async (csv: string) =>
    readable((await agent.act('/applications/import/create', { csv, client_id: test.alice.clientId })).text);
  const idOf = async (title: string) => (await db()('applications').where({ title }).first('id'))?.id ?? '';
  /** Who waits for which mail. */
  const mailed = async (application_id: string) =>
    (
      await db()('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .where({ application_id })
        .orderBy('position')
        .select('email', 'about', 'invites.id as id')
    ).map(({ email, about, id }) => ({ email, about, id }));
  const guarantors = async (application_id: string) =>
    db()('participants').where({ application_id, is_guarantor: 1 }).orderBy('position').pluck('email');

  it('all get a link by mail, the lead too, whatever is set for what software creates', async () => {
    expect((await db()('landlord_settings').pluck('mails_lead'))[0]).to.equal(0);
    const { id, page } = await create('Created', { 'email-1': LEAD, 'email-2': GUEST });
    expect(page).to.include('Everyone gets a link by mail, the lead too.');
    expect(await importAll(`title,lead,email_2\nImported,lia@mail.example,max@mail.example`)).to.include(
      'all of its people get a link by mail',
    );
    for (const [application, emails] of [
      [id, [LEAD, GUEST]],
      [await idOf('Imported'), ['lia@mail.example', 'max@mail.example']],
    ] as const) {
      const mails = await mailed(application);
      expect(mails.map(({ email }) => email)).to.deep.equal(emails);
      for (const one of mails) {
        await workOn(test.service.runtime, 'send-invite', one.id);
        const mail = await test.service.runtime.providers.mailbox?.read(one.id);
        expect(mail?.text).to.match(/\/invitation\/[\w-]+/);
      }
    }
    const body = { title: 'By software', tenants: [{ email: 'api@mail.example', is_lead: true }] };
    const { application_id } = (await test.alice.ok('createApplication', { body })).data;
    expect(await mailed(application_id)).to.deep.equal([]);
  });

  it('a lead whose mail failed, or who does not answer, waits for the landlord like everyone else', async () => {
    const { id } = await create('Waiting', { 'email-1': 'lone@mail.example' });
    const [mail] = await mailed(id);
    const finished_at = '2026-01-05T10:00:00.000Z';
    const overview = async () => readable((await agent.open('/')).text);
    await db()('invites').where({ id: mail?.id }).update({ status: 'sent', due_at: null, finished_at });
    expect(await overview()).to.match(/lone@mail\.example[^§]*?No answer to the invitation/);
    await db()('invites').where({ id: mail?.id }).update({ status: 'failed' });
    expect(await overview()).to.match(/lone@mail\.example[^§]*?could not be delivered/);
  });

  const expectGuarantor = async (application: string, email: string) => {
    const link = await invitationPath(test, application, email);
    expect(readable((await look(test, link)).text)).to.include('Would you like to be the guarantor?');
    const [, card = ''] = (await agent.open(`/applications/${application}`)).text.split(`${email}</a>`, 2);
    const page = readable(card || (await agent.open(`/applications/${application}`)).text.split(email)[1] || '');
    expect(page)
      .to.include('Guarantor')
      .and.match(/Documents still missing: Tax assessment\./);
  };

  it('are guarantors from the start where the form says so, and read what is wanted of guarantors', async () => {
    const { id } = await create('With guarantor', {
      ...{ 'email-1': 'ana@mail.example', 'email-2': GUEST, 'email-3': GUARANTOR, 'guarantor-3': 'on' },
    });
    expect(await guarantors(id)).to.deep.equal([GUARANTOR]);
    await expectGuarantor(id, GUARANTOR);
    const { status, text } = await agent.act('/applications/new', {
      ...{ client_id: test.alice.clientId, title: 'Flat', 'email-1': 'ana@mail.example', 'guarantor-2': 'on' },
    });
    expect(status).to.equal(400);
    expect(readable(text)).to.include('Give the e-mail address of the guarantor.');
    expect(text).to.match(/name="guarantor-2"[^>]* checked/);
  });

  it('are guarantors from the start where a table says so', async () => {
    const csv = 'title;lead;guarantor_1;email_2\nWith bond;eva@mail.example;gus@mail.example;leo@mail.example';
    const preview = readable((await agent.act('/applications/import', { csv, client_id: test.alice.clientId })).text);
    expect(preview).to.match(/gus@mail\.example<\/bdi> \(Guarantor\)/);
    await importAll(csv);
    const id = await idOf('With bond');
    expect(await guarantors(id)).to.deep.equal(['gus@mail.example']);
    await expectGuarantor(id, 'gus@mail.example');
    const many = 'title,lead,email_2,email_3,guarantor_1,guarantor_2,guarantor_3';
    const line = ['Full', ...Array.from({ length: 6 }, (_, index) => `p${index}@mail.example`)].join(',');
    expect(await importAll(`${many}\n${line}`)).to.include('An application has at most 5 people.');
    const twice = await importAll('title,lead,guarantor_1\nTwice,eva@mail.example,EVA@mail.example');
    expect(twice).to.include('guarantor_1').and.include('This address is in the line twice.');
  });

  it('become guarantors and get a name later, by the rule of the API, and are mailed about a new role', async () => {
    const { id } = await create('Later', { 'email-1': 'ida@mail.example', 'email-2': GUEST });
    const at = `/applications/${id}/participant`;
    const [, mail] = await mailed(id);
    await workOn(test.service.runtime, 'send-invite', mail?.id ?? '');
    const form = { email: GUEST, name: 'Teo Gil' };
    expect(await agent.follow(await agent.act(at, { ...form, guarantor: 'on' }))).to.include(
      'The role was changed. The person gets a mail about it.',
    );
    expect((await mailed(id))[1]?.about).to.equal('role');
    await expectGuarantor(id, GUEST);
    const params = { applicationId: id, email: GUEST };
    const { participants } = (await test.alice.ok('updateParticipant', { params, body: {} })).data;
    expect(participants[1]).to.include({ name: 'Teo Gil', is_guarantor: true });
    expect(await agent.follow(await agent.act(at, { ...form, guarantor: 'on' }))).to.include('it was already so');
    expect(await agent.follow(await agent.act(at, { email: GUEST, guarantor: 'on' }))).to.include('saved');
    expect(await agent.follow(await agent.act(at, { email: GUEST }))).to.include('The role was changed');
    expect(await guarantors(id)).to.deep.equal([]);
    const participant = await db()('participants').where({ application_id: id, email: GUEST }).first('id');
    const audited = { action: 'participant.update', resource_id: participant?.id ?? '', actor_kind: 'member' };
    expect(await db()('audit_entries').where(audited)).to.have.length(3);
    const stale = { email: GUEST, shown: '', name: '' };
    await test.alice.ok('updateParticipant', { params, body: { name: 'Teo Gil Mora' } });
    await agent.follow(await agent.act(at, { ...stale, guarantor: 'on' }));
    expect((await test.alice.ok('updateParticipant', { params, body: {} })).data.participants[1]).to.include({
      ...{ name: 'Teo Gil Mora', is_guarantor: true },
    });
    const page = await agent.open(at.replace(/\/participant$/, ''));
    expect(page.text).to.include('name="role" value="guarantor"');
    await test.alice.ok('updateParticipant', { params, body: { name: 'Teo  Gil', is_guarantor: false } });
    const asShown = { email: GUEST, shown: 'Teo  Gil', name: 'Teo  Gil', guarantor: 'on', role: 'guarantor' };
    expect(await agent.follow(await agent.act(at, asShown)), 'sent as it was shown').to.include('it was already so');
    const latest = db()('invites').where({ id: mail?.id ?? '' });
    await latest.clone().update({ about: 'role', status: 'failed', finished_at: new Date().toISOString() });
    expect(readable((await agent.open('/')).text), 'whatever the mail was about').to.include('could not be delivered');
    expect(await agent.follow(await agent.act(at, { email: GUEST, guarantor: 'on' }))).to.include('saved');
    expect((await latest.clone().first('status'))?.status, 'nothing has reached them').to.equal('failed');
    const long = await agent.act(at, { email: GUEST, name: 'x'.repeat(256) });
    expect(long.status).to.equal(400);
    expect(readable(long.text)).to.include('A name has at most 255 characters.');
  });
});
