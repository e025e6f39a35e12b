import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const EMAIL = 'ines.mora@mail.example';
const [FAILED, UNREAD] = ['could not be delivered', 'no one has read it'];

describe('the overview of the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'agent' | 'viewer', landlordId: string, clientIds: string[] = []) =>
    MemberBrowser.signIn(test, role, { landlordId, clientIds });
  const agent = suiteFixture(() => signIn('agent', test.landlords.ours, [test.alice.clientId]));
  let applicationId = '';
  let tenantId = '';

  before(async () => {
    // Leads get no invitation by default.
    const tenants = [
      { email: 'rosa@mail.example', is_lead: true },
      { email: EMAIL, is_lead: false },
    ];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    applicationId = data.application_id;
    tenantId = (await test.tenant(EMAIL, { documents: 1 })).id;
  });

  const overview = async (member: MemberBrowser) => readable((await member.open('/')).text);
  const invite = (change: object) =>
    db()('invites')
      .whereIn('participant_id', db()('participants').where({ application_id: applicationId }).select('id'))
      .update(change);

  it('says nothing of people whose invitation is on its way, or a day old', async () => {
    expect(await overview(agent)).to.not.include('People who wait for you');
    const finished_at = new Date(test.service.runtime.now().getTime() - 86_400_000).toISOString();
    await invite({ status: 'sent', finished_at });
    expect(await overview(agent)).to.not.include('People who wait for you');
  });

  it('names people who have not answered for three days', async () => {
    await invite({ status: 'sent', finished_at: '2026-01-05T10:00:00.000Z' });
    const text = await overview(agent);
    expect(text).to.include('People who wait for you');
    expect(text).to.include('No answer to the invitation for 3 days.');
    expect(text).to.include('2026-01-05');
  });

  it('names people whose invitation could not be delivered, until they have answered', async () => {
    await invite({ status: 'failed' });
    expect(await overview(agent)).to.include(FAILED);
    await agent.act(`/applications/${applicationId}/consent`, { email: EMAIL, answer: 'accepted' });
    expect(await overview(agent)).to.not.include(FAILED);
  });

  it('names people whose analysis no member has read, until one has', async () => {
    const at = new Date(test.service.runtime.now().getTime() - 60_000).toISOString();
    const [api_key_id = ''] = await db()('api_keys').where({ client_id: test.alice.clientId }).pluck('id');
    const run = { id: newId(), tenant_id: tenantId, api_key_id, created_at: at, finished_at: at };
    await db()('forensic_runs').insert({ ...run, status: 'completed', due_at: null });
    expect(await overview(agent)).to.include(UNREAD);
    await db()('looks').insert({
      ...{ id: newId(), tenant_id: tenantId, api_key_id, what: 'analysis', at: new Date().toISOString() },
      looker: 'operator',
    });
    expect(await overview(agent), 'after an operator’s look').to.include(UNREAD);
    expect((await agent.open(`/analyses/${run.id}`)).status).to.equal(200);
    expect(await overview(agent)).to.not.include(UNREAD);
    await db()('looks').where({ tenant_id: tenantId }).delete();
  });

  it('names them to no viewer, who may not read results, and to no other landlord', async () => {
    expect(await overview(agent)).to.include(UNREAD);
    const viewer = await signIn('viewer', test.landlords.ours, [test.alice.clientId]);
    expect(await overview(viewer)).to.not.include(UNREAD);
    for (const stranger of [await signIn('agent', test.landlords.other), await signIn('agent', test.landlords.ours)])
      expect(await overview(stranger)).to.not.include(EMAIL);
  });
});
