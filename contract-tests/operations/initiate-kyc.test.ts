import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { send } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('both');

describe('initiate-kyc', () => {
  let test: TestService;
  afterEach(() => test.stop());

  /** An account that Alice may address. */
  const applicant = async (email: string) => {
    await test.alice.ok('createApplication', { body: { title: 'KYC', tenants: [{ email, is_lead: true }] } });
    return (await test.tenant(email, { name: 'Eva Ñandú' })).id;
  };
  const start = async (tenantId: string) =>
    (await test.alice.ok('initiateKyc', { params: { tenantId } })).data.verification_url;
  const verifications = (tenant_id: string) =>
    test.service.runtime.db('kyc_verifications').where({ tenant_id }).orderBy('created_at').select('status');
  const events = (tenant_id: string) => test.service.runtime.db('events').where({ tenant_id }).select('id', 'event');
  const ended = (tenantId: string, status: 'verified' | 'rejected') =>
    eventually(`the verification ended as ${status}`, async () => {
      const rows = await verifications(tenantId);
      return rows.every((row) => row.status === status) && rows;
    });

  describe('while it is pending', () => {
    beforeEach(async () => {
      test = await startTestService({ SANDBOX_DELAY_MS: '600000' });
    });

    it('returns the address of a page of the service that only its owner can guess', async () => {
      const tenantId = await applicant('starts@mail.example');
      const { status, data } = await test.alice.ok('initiateKyc', { params: { tenantId } });
      expect(status).to.equal('success');
      expect(data.verification_url.startsWith(`${test.service.url}/`)).to.equal(true);
      expect(data.verification_url).to.not.include('starts').and.not.include(tenantId);
      const path = data.verification_url.slice(test.service.url.length);
      const page = await send(test.service.url, 'GET', path);
      expect(page.status).to.equal(200);
      expect(page.headers['content-type']).to.match(/^text\/html/);
      for (const guess of [`${path}x`, path.slice(0, -1), path.replace('/kyc/', '/eid/'), '/verify/kyc/x'])
        expect((await send(test.service.url, 'GET', guess)).status, guess).to.equal(404);
    });

    it('returns the same address again, and each key its own', async () => {
      const tenantId = await applicant('again@mail.example');
      const url = await start(tenantId);
      expect(await start(tenantId)).to.equal(url);
      await test.bob.ok('createApplication', {
        body: { title: 'Too', tenants: [{ email: 'Again@mail.example', is_lead: true }] },
      });
      const { data } = await test.bob.ok('initiateKyc', { params: { tenantId } });
      expect(data.verification_url).to.not.equal(url);
      expect(await start(tenantId)).to.equal(url);
      expect(await start(await applicant('somebody-else@mail.example'))).to.not.equal(url);
    });

    it('has one pending verification after 100 concurrent calls', async () => {
      const tenantId = await applicant('crowd@mail.example');
      // Opens every database connection, so that the first calls really run concurrently.
      await Promise.all(Array.from({ length: 50 }, () => test.alice.ok('listWorkspaces')));
      const urls = await Promise.all(Array.from({ length: 100 }, () => start(tenantId)));
      expect(new Set(urls).size).to.equal(1);
      expect(await verifications(tenantId)).to.deep.equal([{ status: 'pending' }]);
    });
  });

  it('ends automatically after a day if unfinished, sends nothing, and the next call starts another', async () => {
    test = await startTestService();
    const tenantId = await applicant('nobody@mail.example');
    const url = await start(tenantId);
    test.setNow(new Date(Date.now() + 25 * 3_600_000));
    await test.alice.authenticate();
    expect(await start(tenantId)).to.not.equal(url);
    const [first] = await eventually('the first one ended', async () => {
      const rows = await verifications(tenantId);
      return rows.some(({ status }) => status === 'expired') && rows;
    });
    expect(first).to.deep.equal({ status: 'expired' });
    expect((await verifications(tenantId)).slice(1)).to.deep.equal([{ status: 'pending' }]);
    expect(await events(tenantId)).to.be.empty;
  });

  it('ends automatically even if it is never requested again', async () => {
    test = await startTestService();
    const tenantId = await applicant('forgotten@mail.example');
    await start(tenantId);
    test.setNow(new Date(Date.now() + 25 * 3_600_000));
    await eventually('it ended', async () =>
      (await verifications(tenantId)).every(({ status }) => status === 'expired'),
    );
  });

  describe('when it is over', () => {
    let receivers: Receiver[];
    beforeEach(async () => {
      test = await startTestService();
      receivers = [await Receiver.start(), await Receiver.start()];
      for (const { url } of receivers) await test.alice.ok('createWebhook', { body: { url } });
    });
    afterEach(() => Promise.all(receivers.map((receiver) => receiver.stop())));

    it('sends the result of a success once to each webhook', async () => {
      const tenantId = await applicant('succeeds+kyc-verified@mail.example');
      await start(tenantId);
      for (const receiver of receivers) {
        const [delivery] = await receiver.next('KYC_VERIFICATION_DATA');
        expect(delivery?.data).to.include({ tenant_id: tenantId });
        expect(Object.keys(JSON.parse(delivery?.body ?? ''))).to.deep.equal(['event', 'data']);
      }
      const [event, ...more] = await events(tenantId);
      expect(more).to.be.empty;
      const deliveries = test.service.runtime.db('deliveries').where({ event_id: event?.id ?? '' });
      await eventually(
        'both deliveries were acknowledged',
        async () => !(await deliveries.clone().whereNot({ status: 'delivered' }).first()),
      );
      expect(receivers.map(({ received }) => received.length)).to.deep.equal([1, 1]);
    });

    it('sends nothing for a failure, and starts again on request', async () => {
      const rejected = await applicant('eva+kyc-rejected@mail.example');
      const url = await start(rejected);
      await ended(rejected, 'rejected');
      expect(await start(rejected)).to.not.equal(url);
      await eventually('the second one failed too', async () => {
        const rows = await verifications(rejected);
        return rows.length === 2 && rows.every(({ status }) => status === 'rejected');
      });
      expect(await events(rejected)).to.be.empty;
      // A delivery that does arrive shows that the webhooks were reachable throughout.
      await start(await applicant('fence+kyc-verified@mail.example'));
      for (const receiver of receivers) await receiver.next('KYC_VERIFICATION_DATA');
      for (const { received } of receivers)
        for (const { data } of received) expect(data?.['tenant_id']).to.not.equal(rejected);
    });

    it('can be repeated, and sends each success', async () => {
      const tenantId = await applicant('twice+kyc-verified@mail.example');
      const url = await start(tenantId);
      await ended(tenantId, 'verified');
      expect(await start(tenantId)).to.not.equal(url);
      for (const receiver of receivers) {
        const [first, second] = await receiver.next('KYC_VERIFICATION_DATA', 2);
        expect([first, second].map((delivery) => delivery?.data?.['tenant_id'])).to.deep.equal([tenantId, tenantId]);
      }
      expect(await verifications(tenantId)).to.deep.equal([{ status: 'verified' }, { status: 'verified' }]);
    });
  });
});
