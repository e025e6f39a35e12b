import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const EMAIL = 'teo@mail.example';

describe('the steps of each person on the page of an application', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'agent' | 'viewer') =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const agent = suiteFixture(() => signIn('agent'));
  const viewer = suiteFixture(() => signIn('viewer'));
  let here = '';
  let tenantId = '';

  before(async () => {
    const tenants = [
      { email: 'rosa@mail.example', is_lead: true },
      { email: EMAIL, is_lead: false },
    ];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    here = `/applications/${data.application_id}`;
  });

  /** The state of each step in Teo's strip, by its name. */
  async function stepsFor(member: MemberBrowser): Promise<Record<string, string>> {
    const { text } = await member.open(here);
    const card = text.split('<h3>').find((part) => part.includes(EMAIL)) ?? '';
    const [, strip = ''] = /<ol class="strip"[^>]*>(.*?)<\/ol>/s.exec(card) ?? [];
    return Object.fromEntries(
      [...strip.matchAll(/<b>(.*?)<\/b> <span>(.*?)<\/span>/g)].map(([, name, state]) => [name, state]),
    );
  }

  it('say what waits for the person, and what was not started', async () => {
    expect(await stepsFor(agent)).to.deep.equal({
      Invitation: 'under way',
      'Answer to the invitation': 'waits for the person',
      Profile: 'waits for the person',
      Documents: 'waits for the person',
      'Identity verification (KYC)': 'not started',
      'Document analysis': 'not started',
    });
  });

  it('follow what the person does', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    await admin.act('/settings', { documents: 'any' });
    await agent.act(`${here}/consent`, { email: EMAIL, answer: 'accepted' });
    tenantId = (await test.tenant(EMAIL, { documents: 1 })).id;
    await db()('documents').where({ tenant_id: tenantId }).update({ source: 'applicant' });
    await agent.act(`${here}/check`, { email: EMAIL, check: 'kyc' });
    expect(await stepsFor(agent)).to.include({
      'Answer to the invitation': 'done',
      Documents: 'done',
      'Identity verification (KYC)': 'waits for the person',
    });
    await db()('kyc_verifications').where({ tenant_id: tenantId }).update({ status: 'verified', due_at: null });
    expect(await stepsFor(agent)).to.include({ 'Identity verification (KYC)': 'done' });
  });

  it('name the documents that are still missing', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    await admin.act('/settings', { documents: 'identity, payslip:3' });
    expect((await agent.open(here)).text).to.include(
      'Documents still missing: Identity document and Payslip (0 of 3).',
    );
  });

  it('tell a failed check to those who decide, and only that it is not done to those who may just look', async () => {
    await db()('kyc_verifications').where({ tenant_id: tenantId }).update({ status: 'rejected' });
    expect(await stepsFor(agent)).to.include({ 'Identity verification (KYC)': 'without success' });
    const seen = await stepsFor(viewer);
    expect(seen).to.include({ 'Identity verification (KYC)': 'not done', 'Answer to the invitation': 'done' });
    expect(Object.values(seen)).to.not.include('without success');
  });

  it('are not shown of who declined or left: a landlord reads nothing more of them', async () => {
    await agent.act(`${here}/consent`, { email: EMAIL, answer: 'rejected' });
    expect(await stepsFor(agent)).to.deep.equal({});
  });
});
