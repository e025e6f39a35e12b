import { expect } from 'chai';
import type { DocumentType } from '../../core/rules/document-types.ts';
import type { LandlordSettings } from '../../core/rules/landlord-settings.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { databases } from '../../harness/database/dialect.ts';
import { refusingRows } from '../../harness/database/refused-rows.ts';
import { Admin } from '../../harness/service/admin.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { sendProgressMails } from '../../jobs/invitations/progress-mails.ts';

databases('either');

const DAY_MS = 86_400_000;

describe('the mails of a person who takes part', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false', INVITATION_DAYS: '30', DAILY_MAILS_PER_ADDRESS: '20' });
  const admin = new Admin(test);

  afterEach(() => test.setNow(new Date()));

  const settings = (change: Partial<LandlordSettings>, landlord = test.landlords.ours) =>
    inTransaction(test.service.runtime.db, (trx) => setLandlordSettings(trx, landlord, change));
  const apply = async (client = test.alice) => {
    serial += 1;
    const [lead, guest] = [`lead-${serial}@mail.example`, `guest-${serial}@mail.example`] as const;
    const tenants = [lead, guest].map((email) => ({ email, is_lead: email === lead }));
    const { application_id } = (await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    return { id: application_id, lead, guest };
  };
  const rowOf = async (email: string) =>
    (await test.service.runtime
      .db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ email })
      .first('invites.*')) ?? expect.fail(`${email} has no mail`);
  /** Sends the mail that waits. */
  const mailTo = async (email: string) => {
    const { id } = await rowOf(email);
    await workOn(test.service.runtime, 'send-invite', id);
    expect(await rowOf(email)).to.include({ status: 'sent' });
    const mail = (await test.service.runtime.providers.mailbox?.read(id)) ?? expect.fail('no mail');
    const path = /\/invitation\/[\w-]+/.exec(mail.text)?.[0] ?? expect.fail('no link');
    return { ...mail, path };
  };
  const handIn = async (email: string, type: DocumentType) => {
    const { db, now } = test.service.runtime;
    const tenant = await db('tenants').where({ email }).first('id');
    const key = await db('api_keys').where({ client_id: test.alice.clientId }).first('id');
    serial += 1;
    await db('documents').insert({
      ...{ id: `doc-${serial}`, tenant_id: tenant?.id ?? '', api_key_id: key?.id ?? '', sha256: `${serial}` },
      ...{ name: 'x.pdf', media_type: 'application/pdf', size_bytes: 1, source: 'applicant' as const, type },
      created_at: now().toISOString(),
    });
  };
  let pass: () => Promise<void>;
  before(() => {
    pass = sendProgressMails(test.service.runtime);
  });

  it('give the lead a link when the landlord wants it, or an operator does, and no lead otherwise', async () => {
    const { lead: unmailed } = await apply();
    const { db } = test.service.runtime;
    const isMailed = async (email: string) =>
      (await db('invites').join('participants', 'participants.id', 'participant_id').where({ email })).length > 0;
    expect(await isMailed(unmailed)).to.equal(false);
    await settings({ mails_lead: true });
    const { lead } = await apply();
    await settings({ mails_lead: false });
    const { path, subject, text } = await mailTo(lead);
    expect(subject).to.equal('Your application for a home let by Casa Clara');
    expect(text).to.not.include('together');
    expect((await look(test, path)).text)
      .to.include('Would you like to apply?')
      .and.not.include('apply together');
    const { id, lead: other } = await apply();
    await admin.json('application', 'mail-link', id, '--email', other);
    test.setNow(new Date());
    await submit(test, (await mailTo(other)).path, { answer: 'accept' });
    const { id: third, lead: onboarded } = await apply();
    await admin.json('application', 'onboard', third, '--email', onboarded, '--mail');
    test.setNow(new Date());
    expect((await mailTo(onboarded)).text).to.include('This is your link');
    const { participants } = (await test.alice.ok('getApplication', { params: { applicationId: id } })).data;
    expect(participants[0]?.consent_status).to.equal('accepted');
  });

  it('tell guarantors what a guarantee means, before and after, and never ask them to apply together', async () => {
    const { id, guest } = await apply();
    const params = { applicationId: id, email: guest };
    await test.alice.ok('updateParticipant', { params, body: { is_guarantor: true } });
    const { path, subject, text } = await mailTo(guest);
    expect(subject).to.equal('You are asked to be a guarantor for a home let by Casa Clara');
    expect(text).to.include('pays what the tenants owe').and.not.include('together');
    expect((await look(test, path)).text)
      .to.include('Would you like to be the guarantor?')
      .and.include('The guarantee itself needs a contract of its own')
      .and.not.include('together');
    await test.alice.ok('updateParticipant', { params, body: { is_guarantor: false } });
    expect((await mailTo(guest)).text).to.include('You are no longer listed as a guarantor');
    await submit(test, path, { answer: 'accept' });
    await test.alice.ok('updateParticipant', { params, body: { is_guarantor: true } });
    const changed = await mailTo(guest);
    expect(changed.text).to.include('You are now listed as the guarantor');
    expect(changed.subject).to.equal('Your part as guarantor for a home let by Casa Clara');
    for (const valid of [path, changed.path]) await submit(test, valid, { name: 'Gina Garant' });
    for (const valid of [path, changed.path])
      expect((await look(test, valid)).text).to.include('You are the guarantor in the application');
  });

  it('bring a new link to the address in the application when a link has expired, once in a while, and say nothing else', async () => {
    const { id, guest } = await apply();
    const { path } = await mailTo(guest);
    expect((await submit(test, `${path}/renew`, {})).status).to.equal(303);
    const start = new Date();
    test.setNow(new Date(start.getTime() + 31 * DAY_MS));
    expect((await look(test, path)).text).to.include('/renew#step');
    const asked = await submit(test, `${path}/renew`, {});
    expect(asked.text).to.include('a new link is on its way').and.not.include(guest);
    const renewed = await mailTo(guest);
    expect(renewed.path).to.not.equal(path);
    await submit(test, renewed.path, { answer: 'accept' });
    const again = await submit(test, `${path}/renew`, {});
    expect(again.text).to.equal(asked.text);
    expect((await rowOf(guest)).status).to.equal('sent');
    const onboarding = await onboardingPath(test, id, guest, DAY_MS);
    test.setNow(new Date(start.getTime() + 40 * DAY_MS));
    expect((await submit(test, `${onboarding}/renew`, {})).text).to.include('a new link is on its way');
    expect((await mailTo(guest)).text).to.include('This is your link');
    test.setNow(start);
    expect((await submit(test, '/invitation/guessed/renew', {})).status).to.equal(404);
  });

  it('ask again for a document with the reason, which the page shows until one arrives', async () => {
    await settings({ documents: 'any' });
    const { id, guest } = await apply();
    const { path } = await mailTo(guest);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    await handIn(guest, 'payslip');
    expect((await look(test, path)).text).to.include('Nothing is missing.');
    const reason = ['--type', 'payslip', '--reason', 'Page 2 of <it> is missing.'];
    await admin.json('application', 'ask-document', id, '--email', guest, ...reason);
    // The command has its own clock.
    test.setNow(new Date());
    const mail = await mailTo(guest);
    expect(mail.text).to.include('Payslip').and.include('Page 2 of <it> is missing.');
    for (const page of [path, mail.path, `${path}/documents`])
      expect((await look(test, page)).text)
        .to.include('Page 2 of &#60;it&#62; is missing.')
        .and.include('Still missing: your documents.');
    await handIn(guest, 'payslip');
    expect((await look(test, path)).text)
      .to.include('Nothing is missing.')
      .and.not.include('Page 2');
    await settings({ documents: null });
  });

  it('confirm and remind when the landlord wants it: of what is open, twice at most, until one click', async () => {
    await settings({ mails_progress: true, mails_reminders: true, contact_mail: 'rent@casa-clara.example' });
    const [{ guest }, { guest: silent }] = [await apply(), await apply()];
    const start = Date.now();
    const later = (days: number) => test.setNow(new Date(start + days * DAY_MS));
    const { path } = await mailTo(guest);
    await mailTo(silent);
    later(0.001);
    await submit(test, path, { answer: 'accept' });
    later(0.002);
    await pass();
    expect((await mailTo(guest)).text)
      .to.include('you take part')
      .and.include('rent@casa-clara.example');
    await pass();
    expect((await rowOf(guest)).status).to.equal('sent');
    later(4);
    await pass();
    const first = await mailTo(guest);
    expect(first.text).to.include('Still missing in your application: your profile and your documents.');
    const silentFirst = await mailTo(silent);
    expect(silentFirst.text).to.include('your answer');
    expect((await look(test, `${first.path}/reminders`)).text)
      .to.include('Stop the reminders')
      .and.include('rent@casa-clara.example');
    await submit(test, `${silentFirst.path}/reminders`, { 'List-Unsubscribe': 'One-Click' });
    for (const days of [8, 12, 16]) {
      later(days);
      await pass();
      if (days === 8) await mailTo(guest);
      for (const email of [guest, silent]) expect((await rowOf(email)).status, `${email} ${days}`).to.equal('sent');
    }
    expect(await rowOf(guest)).to.include({ reminders: 2 });
    expect(await rowOf(silent)).to.include({ reminders: 1 });
    test.setNow(new Date(start));
    await settings({ mails_progress: false, mails_reminders: false, contact_mail: null });
  });

  it('wait some days after an answer before they remind of the rest, and are not sent once nothing is open', async () => {
    await settings({ mails_reminders: true, documents: 'any' });
    const { id, guest } = await apply();
    const start = Date.now();
    const later = (days: number) => test.setNow(new Date(start + days * DAY_MS));
    const status = async () => (await rowOf(guest)).status;
    const { path } = await mailTo(guest);
    later(4);
    await submit(test, path, { answer: 'accept' });
    later(6);
    await pass();
    expect(await status()).to.equal('sent');
    later(7.1);
    await pass();
    expect(await rowOf(guest)).to.include({ status: 'pending', about: 'reminder' });
    await submit(test, path, { name: 'Jonas Weber' });
    await handIn(guest, 'payslip');
    const { id: mail } = await rowOf(guest);
    await workOn(test.service.runtime, 'send-invite', mail);
    expect(await rowOf(guest)).to.include({ status: 'cancelled', reminders: 1 });
    // A mail that was not needed ends no later one.
    await admin.json(
      'application',
      'ask-document',
      id,
      '--email',
      guest,
      '--type',
      'payslip',
      '--reason',
      'Once more.',
    );
    later(7.2);
    await handIn(guest, 'payslip');
    await workOn(test.service.runtime, 'send-invite', mail);
    expect(await rowOf(guest)).to.include({ status: 'cancelled', about: 'request' });
    await admin.json(
      'application',
      'ask-document',
      id,
      '--email',
      guest,
      '--type',
      'identity',
      '--reason',
      'It is missing.',
    );
    await mailTo(guest);
    later(11);
    await pass();
    expect((await mailTo(guest)).text).to.include('Still missing in your application: your documents.');
    test.setNow(new Date(start));
    await settings({ mails_reminders: false, documents: null });
  });

  /** People of one application, in front of all others, who have done everything, or still lack a document. */
  async function settle(count: number, { lackDocument = false } = {}): Promise<void> {
    const { db } = test.service.runtime;
    const { guest } = await apply();
    const { path } = await mailTo(guest);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    await handIn(guest, 'payslip');
    const participant = (await db('participants').where({ email: guest }).first()) ?? expect.fail();
    const tenant = (await db('tenants').where({ email: guest }).first()) ?? expect.fail();
    const document = (await db('documents').where({ tenant_id: tenant.id }).first()) ?? expect.fail();
    const invite = await rowOf(guest);
    if (lackDocument) await db('documents').where({ id: document.id }).delete();
    const people = Array.from({ length: count }, (_, index) => {
      const name = `${serial}-${index}`;
      const id = `00000000-0000-7000-8000-${String(serial * 1_000 + index).padStart(12, '0')}`;
      const address = { email: `settled-${name}@mail.example`, comparable_email: `settled-${name}@mail.example` };
      return {
        participants: { ...participant, ...address, id },
        tenants: { ...tenant, ...address, id },
        documents: { ...document, id, tenant_id: id },
        invites: { ...invite, id, participant_id: id, token_hash: `hash-${name}` },
      };
    });
    for (const table of ['participants', 'tenants', 'documents', 'invites'] as const)
      if (table !== 'documents' || !lackDocument)
        await db.batchInsert(
          table,
          people.map((rows) => rows[table]),
          20,
        );
  }

  it('reach the people of a landlord behind any number of another landlord’s with nothing open', async () => {
    const wishes = { mails_reminders: true, documents: 'any' } as const;
    await settings(wishes);
    await settings(wishes, test.landlords.other);
    const start = Date.now();
    await settle(200);
    const { guest } = await apply(test.charlie);
    await mailTo(guest);
    test.setNow(new Date(start + 4 * DAY_MS));
    for (let passes = 0; passes < 2; passes++) await pass();
    expect(await rowOf(guest)).to.include({ status: 'pending', about: 'reminder' });
    const { db } = test.service.runtime;
    expect(await db('invites').whereLike('token_hash', 'hash-%').whereNot({ status: 'sent' })).to.deep.equal([]);
    await db('participants').whereLike('email', 'settled-%').update({ removed_at: new Date().toISOString() });
    test.setNow(new Date(start));
    for (const landlord of [test.landlords.ours, test.landlords.other])
      await settings({ mails_reminders: false, documents: null }, landlord);
  });

  it('reach a landlord’s person in the first pass, however many of another landlord are due, of whom as many follow as without them', async () => {
    const wishes = { mails_reminders: true, documents: 'any' } as const;
    await settings(wishes);
    await settings(wishes, test.landlords.other);
    const start = Date.now();
    await settle(400, { lackDocument: true });
    const { guest } = await apply(test.charlie);
    await mailTo(guest);
    test.setNow(new Date(start + 4 * DAY_MS));
    const { db } = test.service.runtime;
    const reminded = async () =>
      (await db('invites').where({ about: 'reminder', status: 'pending' }).whereLike('id', '00000000-%').pluck('id'))
        .length;
    const before = await reminded();
    await pass();
    expect(await rowOf(guest)).to.include({ status: 'pending', about: 'reminder' });
    expect((await reminded()) - before).to.be.within(150, 200);
    await pass();
    expect((await reminded()) - before).to.be.within(350, 400);
    await db('participants').whereLike('email', 'settled-%').update({ removed_at: new Date().toISOString() });
    test.setNow(new Date(start));
    for (const landlord of [test.landlords.ours, test.landlords.other])
      await settings({ mails_reminders: false, documents: null }, landlord);
  });

  it('reach a person behind another whose mail fails, who gets it once it does not', async () => {
    await settings({ mails_reminders: true });
    const start = Date.now();
    const [{ guest: stuck }, { guest }] = [await apply(), await apply()];
    await mailTo(stuck);
    await mailTo(guest);
    test.setNow(new Date(start + 4 * DAY_MS));
    const { participant_id } = await rowOf(stuck);
    const refused = { table: 'invites', change: 'update', column: 'participant_id', values: [participant_id] } as const;
    await refusingRows(test.service.runtime.db, refused, pass);
    expect(await rowOf(stuck)).to.include({ status: 'sent', reminders: null });
    expect(await rowOf(guest)).to.include({ status: 'pending', about: 'reminder' });
    await pass();
    expect(await rowOf(stuck)).to.include({ status: 'pending', about: 'reminder', reminders: 1 });
    test.setNow(new Date(start));
    await settings({ mails_reminders: false });
  });

  it('say once that the documents were checked, when no analysis is left to run', async () => {
    await settings({ mails_progress: true });
    const { guest } = await apply();
    const start = Date.now();
    const later = (days: number) => test.setNow(new Date(start + days * DAY_MS));
    const { path } = await mailTo(guest);
    later(0.001);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    later(0.002);
    await pass();
    await mailTo(guest);
    const { db } = test.service.runtime;
    const tenant_id = (await db('tenants').where({ email: guest }).first('id'))?.id ?? '';
    const api_key_id = (await db('api_keys').where({ client_id: test.alice.clientId }).first('id'))?.id ?? '';
    const at = (days: number) => new Date(start + days * DAY_MS).toISOString();
    const run = (id: string, change: object) => ({ id, tenant_id, api_key_id, created_at: at(0.003), ...change });
    await db('forensic_runs').insert(run(`done-${serial}`, { status: 'completed', finished_at: at(0.004) }));
    await db('forensic_runs').insert(run(`next-${serial}`, { status: 'pending', due_at: at(0.004) }));
    later(0.005);
    await pass();
    expect((await rowOf(guest)).status).to.equal('sent');
    await db('forensic_runs')
      .where({ id: `next-${serial}` })
      .update({ status: 'failed', due_at: null, finished_at: at(0.005) });
    await pass();
    const { subject, text } = await mailTo(guest);
    expect(subject).to.equal('Your application for a home let by Casa Clara');
    expect(text).to.include('The automatic check of your documents is done. The landlord decides.');
    later(0.006);
    await pass();
    expect((await rowOf(guest)).status).to.equal('sent');
    test.setNow(new Date(start));
    await settings({ mails_progress: false });
  });

  it('go to no person who has left or declined, and leaving asks for nothing else', async () => {
    const { id, lead, guest } = await apply();
    const path = await invitationPath(test, id, guest);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    const theirs = await onboardingPath(test, id, lead);
    await submit(test, theirs, { name: 'Lea', answer: 'accept' });
    const answers = async () =>
      (await test.alice.ok('getApplication', { params: { applicationId: id } })).data.participants.map(
        ({ consent_status }) => consent_status,
      );
    await submit(test, `${theirs}/part/leave`, {});
    expect(await answers()).to.deep.equal(['accepted', 'accepted']);
    const { db } = test.service.runtime;
    const heir = await db('participants').where({ email: guest }).first('id');
    expect((await look(test, `${theirs}/part`)).text)
      .to.include('Jonas Weber')
      .and.not.include(guest);
    const toNobody = await submit(test, `${theirs}/part/lead`, {});
    expect([toNobody.status, toNobody.text.includes('<title>Error: Your part in this application')]).to.deep.equal([
      400,
      true,
    ]);
    await submit(test, `${path}/part/lead`, { to: heir?.id ?? '' });
    expect(await db('participants').where({ email: lead }).first('is_lead')).to.deep.equal({ is_lead: 1 });
    await submit(test, `${theirs}/part/lead`, { to: heir?.id ?? '' });
    expect(await db('participants').where({ email: guest }).first('is_lead')).to.deep.equal({ is_lead: 1 });
    await submit(test, `${theirs}/part/leave`, {});
    expect(await answers()).to.deep.equal(['rejected', 'accepted']);
    expect((await look(test, theirs)).text).to.include('You have declined');
    expect(await admin.refused(1, ['application', 'mail-link', id, '--email', lead])).to.include('declined');
  });
});
