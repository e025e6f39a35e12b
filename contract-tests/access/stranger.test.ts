import { expect } from 'chai';
import { until } from '../../harness/process/until.ts';
import type { Client } from '../../harness/service/client.ts';
import { addHook, type Hook } from '../../harness/service/deliveries.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

const REDIRECT = { redirect_url: 'https://letting.example/' };

/** Another key names somebody's e-mail address as the lead of its own application: no mail is sent, and nobody is asked. */
describe('an API key that names somebody’s e-mail address', () => {
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
  /** The person completes the hosted page as somebody. */
  const kyc = async (client: Client, tenantId: string) =>
    (await client.ok('initiateKyc', { params: { tenantId } })).data['verification_url'];

  for (const outsider of ['bob', 'charlie'] as const)
    it(`gets neither the running verification nor what becomes of it (${outsider})`, async () => {
      const email = 'pending-person@mail.example';
      await name(test.alice, email);
      const { id } = await test.tenant(email);
      const link = await kyc(test.alice, id);
      await name(test[outsider], email);
      const theirs = await kyc(test[outsider], id);
      expect(theirs, 'a verification of its own').to.not.equal(link);
      expect(await kyc(test.alice, id)).to.equal(link);
      const rows = await test.service.runtime.db('kyc_verifications').where({ tenant_id: id });
      expect(rows.map(({ status }) => status)).to.deep.equal(['pending', 'pending']);
    });

  for (const outsider of ['bob', 'charlie'] as const)
    it(`receives no event that another key caused, and sees neither its KYC nor its documents (${outsider})`, async () => {
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
      // Its own verification is the first thing that it hears of.
      await kyc(test[outsider], id);
      await theirs.next('KYC_VERIFICATION_DATA');
      expect(theirs.received.map(({ event }) => event)).to.deep.equal(['KYC_VERIFICATION_DATA']);
      expect(await statusOf(test[outsider], id)).to.equal('DOCUMENTS_ANALYSIS_NOT_FOUND');
      await until('everything was told', async () => {
        const { db } = test.service.runtime;
        return !(await db('deliveries').where({ status: 'pending' }).first('id'));
      });
      expect(theirs.received.map(({ event }) => event)).to.deep.equal(['KYC_VERIFICATION_DATA']);
    });

  it('cannot address them once they have declined', async () => {
    const email = 'declined-person@mail.example';
    await name(test.charlie, email);
    const { id } = await test.tenant(email);
    const { db } = test.service.runtime;
    await db('participants').where({ comparable_email: email }).update({ consent_status: 'rejected' });
    for (const answer of [
      await test.charlie.call('initiateKyc', { params: { tenantId: id } }),
      await test.charlie.call('initiateEid', { params: { tenantId: id }, body: REDIRECT }),
      await test.charlie.call('runForensic', { params: { tenantId: id } }),
    ])
      expect(answer.status).to.equal(404);
  });
});
