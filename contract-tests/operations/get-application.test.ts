import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

describe('get-application', () => {
  const test = useService();

  const create = async (title: string) =>
    (
      await test.alice.ok('createApplication', {
        body: {
          title,
          tenants: [
            { email: `${title}-lead@mail.example`, is_lead: true },
            { email: `${title}-Other@mail.example`, is_lead: false },
          ],
        },
      })
    ).data.application_id;
  const get = async (applicationId: string) =>
    (await test.alice.ok('getApplication', { params: { applicationId } })).data;

  it('shows the participants in order of creation, with addresses as given and without roles', async () => {
    const data = await get(await create('shown'));
    expect(data.participants.map(({ email }) => email)).to.deep.equal([
      'shown-lead@mail.example',
      'shown-Other@mail.example',
    ]);
    for (const participant of data.participants)
      expect(participant).to.have.all.keys('name', 'email', 'consent_status', 'onboarding_status', 'id');
  });

  it('shows the participants by their position, in whatever order the database has the rows', async () => {
    const { db } = test.service.runtime;
    const applicationId = await create('ordered');
    const lead = () => db('participants').where({ application_id: applicationId, is_lead: 1 });
    await lead().update({ position: 2 });
    const { participants } = await get(applicationId);
    expect(participants.map(({ email }) => email)).to.deep.equal([
      'ordered-Other@mail.example',
      'ordered-lead@mail.example',
    ]);
  });

  it('shows exactly its id, title, participants and timestamps, and no warnings', async () => {
    const applicationId = await create('fields');
    const data = await get(applicationId);
    expect(data).to.have.all.keys('application_id', 'title', 'participants', 'created_at', 'updated_at');
    expect(data).to.include({ application_id: applicationId, title: 'fields' });
    expect(Math.abs(Date.parse(data.created_at) - Date.now())).to.be.below(60_000);
    expect(data.updated_at).to.equal(data.created_at);
    await test.alice.ok('removeParticipant', { params: { applicationId, email: 'fields-other@mail.example' } });
    const after = await get(applicationId);
    expect(after).to.not.have.property('warnings');
    expect(after.created_at).to.equal(data.created_at);
  });

  it('shows the account with the same address in any case as `id`, and null if there is none', async () => {
    const applicationId = await create('linked');
    const { id } = await test.tenant('LINKED-other@Mail.example');
    await test.tenant('linked-other@mail.example.org');
    expect((await get(applicationId)).participants.map((participant) => participant.id)).to.deep.equal([null, id]);
  });

  it('derives the onboarding status from the profile at the time of the call', async () => {
    const { db } = test.service.runtime;
    const applicationId = await create('onboarding');
    const { id } = await test.tenant('onboarding-other@mail.example');
    const statuses = async () => (await get(applicationId)).participants.map((person) => person.onboarding_status);
    const profile = (completed: string | null, outdated: string | null) =>
      db('tenants').where({ id }).update({ profile_completed_at: completed, profile_outdated_at: outdated });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
    await profile('2026-01-01T00:00:00.000Z', null);
    expect(await statuses()).to.deep.equal(['PENDING', 'COMPLETED']);
    await profile('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z');
    expect(await statuses()).to.deep.equal(['PENDING', 'OUTDATED']);
    await profile('2026-01-01T00:00:00.000Z', '9999-01-02T00:00:00.000Z');
    expect(await statuses()).to.deep.equal(['PENDING', 'COMPLETED']);
    await profile(null, null);
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
  });

  it('shows each person’s consent', async () => {
    const applicationId = await create('consent');
    for (const consent_status of ['accepted', 'rejected', 'pending'] as const) {
      await test.service.runtime
        .db('participants')
        .where({ application_id: applicationId, is_lead: 0 })
        .update({ consent_status });
      const { participants } = await get(applicationId);
      expect(participants.map((person) => person.consent_status)).to.deep.equal(['pending', consent_status]);
    }
  });

  it('never treats the path of create-application as an id', async () => {
    await test.alice.refused('getApplication', 404, { params: { applicationId: 'create-application%2f' } });
    await test.alice.refused('getApplication', 404, { params: { applicationId: 'create-application ' } });
  });

  it('answers 404 for anything that is not an application’s id, and 400 for text that cannot be stored', async () => {
    const { id } = await test.tenant('not-an-application@mail.example');
    const strange = [id, '0', '-1', '💥', "' or '1'='1", '..', 'null', 'a'.repeat(2000), '%', '{}', 'a/b'];
    for (const applicationId of strange) {
      const { message } = await test.alice.refused('getApplication', 404, { params: { applicationId } });
      expect(message).to.equal('Application not found.');
    }
    await test.alice.refused('getApplication', 400, { params: { applicationId: '\0' } });
    const headers = { authorization: `Bearer ${test.alice.token}` };
    for (const path of ['/applications/%zz', '/applications/%ff', '/applications/%c3%28'])
      expect((await test.alice.raw('GET', path, { headers })).status, path).to.equal(400);
  });

  it('answers another key of the landlord, a foreign key and an absent id alike, byte for byte', async () => {
    const applicationId = await create('hidden');
    const absent = await test.alice.call('getApplication', { params: { applicationId: 'absent' } });
    expect(absent.status).to.equal(404);
    for (const outsider of [test.bob, test.charlie]) {
      const answer = await outsider.call('getApplication', { params: { applicationId } });
      expect(answer.status).to.equal(404);
      expect(answer.text).to.equal(absent.text);
    }
  });
});
