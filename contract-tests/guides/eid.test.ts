import { expect } from 'chai';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';

/** The recipe of eid.md: the event names nobody, but run-forensic shows who has received documents. */
describe('the guide to the national eID', () => {
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());
  before(async () => {
    await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: 'whsec_c2VjcmV0IGJ5dGVz' } });
  });

  const status = async (tenantId: string) =>
    (await test.alice.ok('runForensic', { params: { tenantId } })).data.processing_status;

  it('tells which of several open flows an EID_SUCCESS is about, for tenants who had no documents', async () => {
    const flows = [];
    for (const email of ['works+eid-verified@mail.example', 'fails+eid-failed@mail.example']) {
      const { id } = await test.tenant(email);
      await test.alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
      expect(await status(id)).to.equal('DOCUMENTS_ANALYSIS_NOT_FOUND');
      flows.push({ email, id });
    }
    for (const { id } of flows)
      await test.alice.ok('initiateEid', {
        params: { tenantId: id },
        body: { redirect_url: `http://localhost:4000/eid/finished?flow=${id}` },
      });
    const [delivery] = await receiver.next('EID_SUCCESS');
    expect(delivery?.body).to.equal('{"event":"EID_SUCCESS","data":null}');
    await until('the other flow had failed', async () =>
      test.service.runtime.db('eid_flows').where({ status: 'failed' }).first('id'),
    );
    const changed = [];
    for (const { email, id } of flows) if ((await status(id)) !== 'DOCUMENTS_ANALYSIS_NOT_FOUND') changed.push(email);
    expect(changed).to.deep.equal(['works+eid-verified@mail.example']);
    expect(receiver.received.map(({ event }) => event)).to.deep.equal(['EID_SUCCESS']);
  });
});
