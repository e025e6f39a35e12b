import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { send } from '../../harness/service/client.ts';
import { startTestService } from '../../harness/service/service.ts';
import { deliver, eventAbout, signatureOf, WEBHOOK_SECRET } from '../../harness/service/stripe.ts';
import { StripeWorld, VERIFIED } from '../../harness/service/stripe-world.ts';

databases('either');

const MINUTES = 60_000;

describe('a service with Stripe Identity is not deceived by', () => {
  const world = testFixture(() => StripeWorld.start());

  const untouched = async (tenantId: string, work: () => Promise<unknown>) => {
    const before = await world.verification(tenantId);
    await work();
    expect(await world.verification(tenantId)).to.deep.equal(before);
    expect(world.looks()).to.equal(0);
  };

  it('a message whose signature is wrong or old', async () => {
    const { tenantId, session } = await world.startedVerification('forged@mail.example');
    session.status = 'verified';
    const body = eventAbout(session, VERIFIED);
    const now = Date.now() / 1000;
    const refused: [string, string, string][] = [
      ['no signature', body, ''],
      ['nonsense', body, 'sk_test'],
      ['another secret', body, signatureOf(body, 'whsec_other')],
      ['too old', body, signatureOf(body, WEBHOOK_SECRET, now - 301)],
      ['a changed byte', body.replace('verified', 'verifiee'), signatureOf(body)],
      ['other white space', JSON.stringify(JSON.parse(body)), signatureOf(body)],
      ['nothing at all', '', signatureOf('')],
    ];
    await untouched(tenantId, async () => {
      for (const [what, bytes, signature] of refused) {
        const { status, text } = await deliver(world.test.service.url, bytes, signature);
        expect(status, what).to.equal(400);
        expect(JSON.parse(text), what).to.deep.equal({
          status: 'error',
          message: 'The message was not sent by the provider, or is too old.',
        });
      }
    });
  });

  it('a message about something else', async () => {
    const { tenantId, session } = await world.startedVerification('elsewhere@mail.example');
    await untouched(tenantId, async () => {
      await world.deliverMessage(VERIFIED, { ...session, client_reference_id: newId() });
      await world.deliverMessage(VERIFIED, { ...session, client_reference_id: 'customer-42' });
      await world.deliverMessage('customer.created', {
        object: 'customer',
        client_reference_id: session.client_reference_id,
      });
    });
  });

  it('a message that claims more than Stripe’s API confirms', async () => {
    const { tenantId, session } = await world.startedVerification('hopeful@mail.example');
    await world.deliverMessage(VERIFIED, { ...session, status: 'verified' });
    await eventually('Stripe was asked, and will be again', async () => {
      const { due_at } = await world.verification(tenantId);
      return world.looks() === 1 && due_at && new Date(due_at).getTime() > Date.now() + 4 * MINUTES;
    });
    expect(await world.verification(tenantId)).to.include({ status: 'pending', failures: 0 });
    expect(await world.events(tenantId)).to.be.empty;
  });

  it('another person’s session', async () => {
    const { tenantId, session } = await world.startedVerification('mine@mail.example');
    const message = { ...session };
    Object.assign(session, { client_reference_id: newId(), status: 'verified' });
    await world.deliverMessage(VERIFIED, message);
    const row = await eventually('it was refused', async () => {
      const held = await world.verification(tenantId);
      return held.failures > 0 && held;
    });
    expect(row).to.include({ status: 'pending' });
    expect(row.failure).to.include('another flow');
    expect(await world.events(tenantId)).to.be.empty;
  });

  it('a compressed message: the signature covers the bytes sent', async () => {
    const { tenantId, session } = await world.startedVerification('packed@mail.example');
    const body = eventAbout(session, VERIFIED);
    await untouched(tenantId, async () => {
      const answer = await fetch(`${world.test.service.url}/providers/kyc`, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip', 'stripe-signature': signatureOf(body) },
        body: new Uint8Array(gzipSync(body)),
      });
      expect(answer.status).to.equal(400);
    });
  });

  it('a message that is too large, or arrives in another way', async () => {
    const { tenantId, session } = await world.startedVerification('large@mail.example');
    await untouched(tenantId, async () => {
      expect((await world.sendMessage(VERIFIED, { ...session, padding: 'x'.repeat(1024 * 1024) })).status).to.equal(
        400,
      );
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await send(world.test.service.url, method, '/providers/kyc');
        expect(status, method).to.equal(405);
        expect(headers['allow'], method).to.equal('POST');
      }
    });
  });
});

describe('a service whose KYC provider sends no messages', () => {
  it('does not accept them', async () => {
    const test = await startTestService();
    const answers = [await deliver(test.service.url, '{}'), await send(test.service.url, 'POST', '/providers/unknown')];
    await test.stop();
    for (const { status } of answers) expect(status).to.equal(404);
    expect(answers[0]?.text).to.equal(answers[1]?.text);
  });
});
