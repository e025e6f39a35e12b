import { Readable } from 'node:stream';
import { expect } from 'chai';
import { eventExamples } from '../../harness/contract/named-examples.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { changedPayslip } from '../../scripts/tour/changed-payslip.ts';
import { differences } from './compare.ts';

databases('either');

describe('the examples of events', () => {
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());

  /** Marta Ruiz with the document shown in the examples. */
  async function openTenant(): Promise<string> {
    const email = 'marta.ruiz+kyc-verified+eid-verified@mail.example';
    const tenants = [{ email, is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Events', tenants } });
    const { id } = await test.tenant(email, { name: 'Marta Ruiz' });
    const { runtime } = test.service;
    const payslip = { name: 'payslip-february.pdf', content: Readable.from([changedPayslip()]) };
    await storingDocuments(runtime, [payslip], async (trx, stored) =>
      addDocuments(trx, runtime.queue, await ofTheirKey(trx, id), stored, 'operator', new Date()),
    );
    return id;
  }

  it('match what the service sends, value by value', async () => {
    await test.alice.ok('createWebhook', { body: { url: receiver.url } });
    const params = { tenantId: await openTenant() };
    await test.alice.ok('initiateKyc', { params });
    await receiver.next('FORENSIC_ANALYSIS_DATA');
    await test.alice.ok('initiateEid', { params, body: { redirect_url: 'https://letting.example/eid' } });
    await receiver.next('EID_SUCCESS');
    // Deliveries have no order.
    await receiver.next('KYC_VERIFICATION_DATA');
    for (const shown of eventExamples) {
      const sent = receiver.received.filter(({ event }) => event === shown.event);
      const found = sent.map(({ body }) => differences(JSON.parse(body), shown));
      expect(found.find((faults) => faults.length === 0) ?? found.flat(), shown.event).to.deep.equal([]);
    }
    expect(eventExamples).to.have.length(3);
  });
});
