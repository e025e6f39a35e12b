import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { addHook, type Hook } from '../../harness/service/deliveries.ts';
import { look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';

databases('either');

const REDIRECT = { redirect_url: 'https://letting.example/' };

/** Another key adds someone's e-mail address as the lead of its own application: the service sends no mail and asks for no consent. */
describe('an API key that names another person’s e-mail address', () => {
  const test = useServicePerTest();
  const hooks: Hook[] = [];
  afterEach(async () => {
    for (const hook of hooks.splice(0)) await hook.stop();
  });

  const name = async (client: Client, email: string) => {
    const { data } = await client.ok('createApplication', {
      body: { title: 'Flat', tenants: [{ email, is_lead: true }] },
    });
    return data.application_id;
  };
  const hook = async (client: Client) => {
    const added = await addHook(client);
    hooks.push(added);
    return added.receiver;
  };
  const statusOf = async (client: Client, tenantId: string) =>
    (await client.ok('runForensic', { params: { tenantId } })).data.processing_status;
  const kyc = async (client: Client, tenantId: string) =>
    (await client.ok('initiateKyc', { params: { tenantId } })).data.verification_url;

  for (const outsider of ['bob', 'charlie'] as const)
    it(`sees neither a running verification nor its outcome (${outsider})`, async () => {
      const email = 'pending-person@mail.example';
      await name(test.alice, email);
      const { id } = await test.tenant(email);
      const link = await kyc(test.alice, id);
      await name(test[outsider], email);
      const theirs = await kyc(test[outsider], id);
      expect(theirs, 'its own verification').to.not.equal(link);
      expect(await kyc(test.alice, id)).to.equal(link);
      const rows = await test.service.runtime.db('kyc_verifications').where({ tenant_id: id });
      expect(rows.map(({ status }) => status)).to.deep.equal(['pending', 'pending']);
    });

  it('does not see the name that another key gave the account', async () => {
    const email = 'named-elsewhere+kyc-verified+eid-verified@mail.example';
    await name(test.alice, email);
    await name(test.charlie, email);
    const { id } = await test.tenant(email, { name: 'Quillfeather' });
    const theirs = await hook(test.charlie);
    await kyc(test.charlie, id);
    await theirs.next('KYC_VERIFICATION_DATA');
    expect(theirs.received.map(({ body }) => body).join())
      .to.include(id)
      .and.not.include('Quillfeather');
  });

  it('cannot complete another key’s verification under another name, even after the person declined', async () => {
    const email = 'named-person@mail.example';
    await name(test.alice, email);
    const applicationId = await name(test.charlie, email);
    const { id } = await test.tenant(email);
    const [alices, theirs] = [await hook(test.alice), await hook(test.charlie)];
    const [link, own] = [await kyc(test.alice, id), await kyc(test.charlie, id)];
    await new WebBrowser().agree(own);
    const answers: [step: string, field: string, value: string][] = [
      ['name', 'name', 'Mallory'],
      ['document', 'document', 'passport'],
      ['capture', 'photo', 'document'],
      ['capture', 'photo', 'person'],
      ['outcome', 'outcome', 'verified'],
    ];
    for (const [step, field, value] of answers)
      expect((await submit(test, `${new URL(own).pathname}/${step}`, { [field]: value })).status, step).to.equal(303);
    expect((await theirs.next('KYC_VERIFICATION_DATA')).at(-1)?.data).to.include({ tenant_id: id, name: 'Mallory' });
    await ends['decline that an operator notes'](applicationId, email);
    expect((await test.charlie.call('initiateKyc', { params: { tenantId: id } })).status).to.equal(404);
    expect(await kyc(test.alice, id), 'continues').to.equal(link);
    expect((await look(test, `${new URL(link).pathname}/name`)).text).to.not.include('Mallory');
    expect(await statusOf(test.alice, id)).to.not.include('QUEUED');
    expect(alices.received).to.deep.equal([]);
  });

  for (const outsider of ['bob', 'charlie'] as const)
    it(`receives no event caused by another key, and sees neither its KYC nor its documents (${outsider})`, async () => {
      const email = 'quoted+kyc-verified+eid-verified@mail.example';
      await name(test.alice, email);
      await name(test[outsider], email);
      const { id } = await test.tenant(email, { documents: 1 });
      const [alices, theirs] = [await hook(test.alice), await hook(test[outsider])];
      await kyc(test.alice, id);
      await alices.next('KYC_VERIFICATION_DATA');
      await alices.next('FORENSIC_ANALYSIS_DATA');
      await test.alice.ok('initiateEid', { params: { tenantId: id }, body: REDIRECT });
      await alices.next('EID_SUCCESS');
      expect(await statusOf(test[outsider], id)).to.equal('DOCUMENTS_ANALYSIS_NOT_FOUND');
      // Its own verification is the first event that its webhook receives.
      await kyc(test[outsider], id);
      await theirs.next('KYC_VERIFICATION_DATA');
      expect(theirs.received.map(({ event }) => event)).to.deep.equal(['KYC_VERIFICATION_DATA']);
      expect(await statusOf(test[outsider], id)).to.equal('DOCUMENTS_ANALYSIS_NOT_FOUND');
      await workDone(test.service.runtime.db);
      expect(theirs.received.map(({ event }) => event)).to.deep.equal(['KYC_VERIFICATION_DATA']);
    });

  /** The link in the person's mail. */
  const mailedPath = async (applicationId: string, email: string) => {
    const { db, providers } = test.service.runtime;
    const invite = await db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ application_id: applicationId, email })
      .first('invites.id');
    const mail = await eventually('the mail was sent', () => providers.localMails.read(invite?.id ?? ''));
    const text = mail.toString().replaceAll(/=\r?\n/g, '');
    return /\/invitation\/[\w-]+/.exec(text)?.[0] ?? expect.fail(text);
  };

  /** Keyed by the names used in the titles. */
  const ends = {
    'page of the invitation': async (applicationId: string, email: string) => {
      await submit(test, await mailedPath(applicationId, email), { answer: 'decline' });
    },
    'page of an onboarding link': async (applicationId: string, email: string) => {
      await submit(test, await onboardingPath(test, applicationId, email), { name: 'Nuri', answer: 'decline' });
    },
    'decline that an operator notes': async (applicationId: string, email: string) => {
      await new Admin(test).json('application', 'consent', applicationId, '--email', email, '--reject');
    },
    removal: async (applicationId: string, email: string) => {
      await test.alice.ok('removeParticipant', { params: { applicationId, email } });
    },
  };
  for (const [end, leave] of Object.entries(ends))
    it(`cannot address the tenant after a ${end}, which ends only that key’s running checks`, async () => {
      const email = 'leaving-person@mail.example';
      const people = [
        { email: 'lead@mail.example', is_lead: true },
        { email, is_lead: false },
      ];
      const { data } = await test.alice.ok('createApplication', { body: { title: 'Flat', tenants: people } });
      const other = (
        await test.alice.ok('createApplication', { body: { title: 'Second', tenants: people.slice(0, 1) } })
      ).data;
      expect(other.application_id).to.not.equal(data.application_id);
      const { id } = await test.tenant(email, { documents: 1 });
      await name(test.bob, email);
      const { db } = test.service.runtime;
      const of = await ofTheirKey(db, id);
      const links = [await kyc(test.alice, id), await kyc(test.bob, id)];
      await test.alice.ok('initiateEid', { params: { tenantId: id }, body: REDIRECT });
      await db.transaction((trx) => insertForensicRun(trx, of, new Date(Date.now() + 3_600_000)));
      await leave(data.application_id, email);
      for (const table of ['kyc_verifications', 'eid_flows', 'forensic_runs'] as const) {
        const [mine] = await db(table).where(of);
        expect(mine, table).to.include({ due_at: null });
        expect(mine?.status, table).to.equal(table === 'forensic_runs' ? 'failed' : 'expired');
      }
      const missing = await test.alice.call('initiateKyc', { params: { tenantId: randomUUID() } });
      for (const answer of [
        await test.alice.call('initiateKyc', { params: { tenantId: id } }),
        await test.alice.call('initiateEid', { params: { tenantId: id }, body: REDIRECT }),
        await test.alice.call('runForensic', { params: { tenantId: id } }),
      ])
        expect({ status: answer.status, text: answer.text }).to.deep.equal({ status: 404, text: missing.text });
      expect(await (await fetch(String(links[0]))).text()).to.include('expired');
      expect(await kyc(test.bob, id), 'the other key’s continues').to.equal(links[1]);
    });

  it('keeps checks running while another of its applications includes the tenant', async () => {
    const email = 'stays-person@mail.example';
    const applicationId = await name(test.alice, email);
    const people = [
      { email, is_lead: true },
      { email: 'flatmate@mail.example', is_lead: false },
    ];
    await test.alice.ok('createApplication', { body: { title: 'Both', tenants: people } });
    const { id } = await test.tenant(email);
    const link = await kyc(test.alice, id);
    await ends['decline that an operator notes'](applicationId, email);
    expect(await kyc(test.alice, id)).to.equal(link);
  });

  it('gets no document that an operator adds for another key; the operator must choose a key when there are several', async () => {
    const email = 'of-two-keys@mail.example';
    const applicationId = await name(test.alice, email);
    await name(test.bob, email);
    const { id } = await test.tenant(email);
    const admin = new Admin(test);
    const file = await admin.file('a payslip', 'payslip.txt');
    expect(await admin.refused(1, ['document', 'add', email, file])).to.match(/several API keys .*--api-key/);
    await admin.json('document', 'add', email, file, '--application', applicationId);
    expect(await statusOf(test.alice, id)).to.equal('KYC_PENDING');
    expect(await statusOf(test.bob, id)).to.equal('DOCUMENTS_ANALYSIS_NOT_FOUND');
    await admin.json('document', 'add', email, file, '--api-key', test.bob.clientId);
    expect(await statusOf(test.bob, id)).to.equal('KYC_PENDING');
    expect(await admin.refused(1, ['document', 'add', email, file, '--api-key', test.charlie.clientId])).to.match(
      /no such application/,
    );
  });
});
