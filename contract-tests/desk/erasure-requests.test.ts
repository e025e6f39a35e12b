import { expect } from 'chai';
import { DAY_MS } from '../../core/time.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { refuseErasure } from '../../jobs/privacy/operator-requests.ts';
import { askToBeErased } from '../../jobs/privacy/own-data.ts';

databases('both');

const EMAIL = 'ines.mora@mail.example';
const ASKED = 'Asked for erasure on 5 January 2026.';
const DUE = '2 February 2026';

describe('a request for erasure at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'admin' | 'agent' | 'viewer' | 'developer', clientId = test.alice.clientId) =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [clientId] });
  const agent = suiteFixture(() => signIn('agent'));
  let applicationId = '';
  let participantId = '';
  let tenantId = '';

  before(async () => {
    const tenants = ['rosa@mail.example', EMAIL].map((email) => ({ email, is_lead: email !== EMAIL }));
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    applicationId = data.application_id;
    tenantId = (await test.tenant(EMAIL)).id;
    const row = await db()('participants')
      .join('applications', 'applications.id', 'participants.application_id')
      .where({ application_id: applicationId, email: EMAIL })
      .first('participants.id', 'api_key_id');
    participantId = row?.id ?? '';
    test.setNow(new Date('2026-01-05T10:00:00.000Z'));
    await askToBeErased(test.service.runtime, { participantId, apiKeyId: row?.api_key_id ?? '', email: EMAIL });
    test.setNow(new Date());
  });
  afterEach(() => test.setNow(new Date()));

  const places = () => ['/', `/applications/${applicationId}`, `/people/${tenantId}`];
  const read = async (member: MemberBrowser, place: string) => readable((await member.open(place)).text);

  it('is shown to who decides about applications: since when it waits for the operator, and until when', async () => {
    for (const member of [agent, await signIn('admin')])
      for (const place of places())
        expect(await read(member, place), place)
          .to.include(ASKED)
          .and.include(DUE);
    expect(await read(agent, `/applications/${applicationId}`)).to.include(
      'If the law requires you to keep some of it, tell the operator',
    );
  });

  it('says when the answer is overdue', async () => {
    const [place = ''] = places();
    expect(await read(agent, place)).to.include('Still waits for the operator');
    await db()('erasure_requests').update({ due_at: new Date(Date.now() + DAY_MS).toISOString() });
    expect(await read(agent, place))
      .to.include('who must answer by')
      .and.not.include('Still waits');
    await db()('erasure_requests').update({ due_at: '2026-02-02T10:00:00.000Z' });
  });

  it('is shown to no viewer or developer, and to no one of another API key or landlord', async () => {
    const others = [
      ...[await signIn('viewer'), await signIn('developer'), await signIn('agent', test.bob.clientId)],
      await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other }),
    ];
    for (const other of others)
      for (const place of places()) expect(await read(other, place), place).to.not.include('erasure');
  });

  it('is not shown to another API key on the page of a person whom both know', async () => {
    const body = { title: 'Of Bob', tenants: [{ email: EMAIL, is_lead: true }] };
    await test.bob.ok('createApplication', { body });
    const ofBob = await signIn('agent', test.bob.clientId);
    const page = await read(ofBob, `/people/${tenantId}`);
    expect(page).to.include(EMAIL).and.not.include('erasure');
  });

  it('is gone once it was answered, and the desk offers no answer', async () => {
    for (const place of places()) expect((await agent.open(place)).text).to.not.include('privacy/');
    await refuseErasure(test.service.runtime, participantId, 'The contract is kept.', { kind: 'operator', id: 'Op' });
    for (const place of places()) expect(await read(agent, place), place).to.not.include(ASKED);
  });
});
