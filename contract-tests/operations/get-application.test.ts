import { expect } from 'chai';
import { startTestService, type TestService } from '../harness/service.ts';

describe('get-application', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService();
  });
  after(() => test.stop());

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

  it('shows the participants in the order of creation, with addresses as given and without roles', async () => {
    const applicationId = await create('shown');
    const { data } = await test.alice.ok('getApplication', { params: { applicationId } });
    expect(data.participants.map(({ email }) => email)).to.deep.equal([
      'shown-lead@mail.example',
      'shown-Other@mail.example',
    ]);
    for (const participant of data.participants)
      expect(participant).to.have.all.keys('name', 'email', 'consent_status', 'onboarding_status', 'id');
  });

  it('answers a key of the same landlord, a foreign key and an absent id alike, byte for byte', async () => {
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
