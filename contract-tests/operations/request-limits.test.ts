import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import type { Client } from '../../harness/service/client.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('either');

const MAX_WEBHOOKS = 5;

describe('the limits of one request', () => {
  const test = suiteFixture(() => startTestService({ MAX_WEBHOOKS_PER_KEY: String(MAX_WEBHOOKS) }));

  /** Refusals, by the start of the message. */
  const refused = async (call: Promise<{ message: string }>) => (await call).message.split(':')[0];
  const webhook = (body: { url: string; secret?: string }) => ({ body });

  it('allow 2,048 characters for an address, 512 for a secret and 255 for a name', async () => {
    const { alice } = test;
    const email = 'marta@mail.example';
    const tenants = [{ email, is_lead: true }];
    const { application_id } = (await alice.ok('createApplication', { body: { title: 'Limits', tenants } })).data;
    const { id } = await test.tenant(email);
    const eid = (redirect_url: string) => ({ params: { tenantId: id }, body: { redirect_url } });
    const name = (text: string) => ({ params: { applicationId: application_id, email }, body: { name: text } });
    await alice.ok('createWebhook', webhook({ url: 'https://letting.example/', secret: 's'.repeat(512) }));
    await alice.ok('initiateEid', eid(`https://letting.example/${'a'.repeat(2_024)}`));
    // Characters are code points.
    await alice.ok('updateParticipant', name('𝒳'.repeat(255)));
    const secret = { url: 'https://letting.example/', secret: 's'.repeat(513) };
    expect(await refused(alice.refused('createWebhook', 400, webhook({ url: tooLong() })))).to.equal('url');
    expect(await refused(alice.refused('createWebhook', 400, webhook(secret)))).to.equal('secret');
    expect(await refused(alice.refused('initiateEid', 400, eid(tooLong())))).to.equal('redirect_url');
    expect(await refused(alice.refused('updateParticipant', 400, name('x'.repeat(256))))).to.equal('name');
  });

  it('refuse a host of 99,000 dots everywhere, and store nothing of it', async () => {
    const url = `https://${'.'.repeat(99_000)}x`;
    expect(await refused(test.alice.refused('createWebhook', 400, webhook({ url })))).to.equal('url');
    expect(await test.service.runtime.db('webhooks').where({ url }).first()).to.equal(undefined);
  });

  it('bound the webhooks of an API key, also for concurrent calls, and independently of other keys', async () => {
    const create = (client: Client, number: number) =>
      client.call('createWebhook', webhook({ url: `https://letting.example/${number}` }));
    const answers = await Promise.all(Array.from({ length: 3 * MAX_WEBHOOKS }, (_, n) => create(test.bob, n)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(MAX_WEBHOOKS);
    const last = answers.find(({ status }) => status !== 200);
    expect(last?.status).to.equal(400);
    expect(last?.text).to.include('has 5 webhooks already');
    expect((await create(test.charlie, 0)).status).to.equal(200);
  });

  const tooLong = () => `https://letting.example/${'a'.repeat(2_025)}`;
});
