import { inspect } from 'node:util';
import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventAbout, SECRET_KEY, signatureOf, WEBHOOK_SECRET } from '../../harness/service/stripe.ts';
import { ForgedMessage } from '../../providers/identity/port.ts';
import { createStripeIdentity } from '../../providers/identity/stripe-identity.ts';

databases('none');

describe('a message from Stripe', () => {
  const flowId = newId();
  const settings = {
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    apiBase: new URL('https://api.stripe.com'),
  };
  const kyc = createStripeIdentity(settings);
  const receive = async (body: string, signature: string | undefined, provider = kyc) =>
    provider.receive?.({ headers: { 'stripe-signature': signature }, body: Buffer.from(body) });
  const refused = async (body: string, signature: string | undefined) => {
    const error: unknown = await receive(body, signature).then(
      () => expect.fail('It was accepted.'),
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(ForgedMessage);
    expect(inspect(error, { depth: 9 }))
      .to.not.include(flowId)
      .and.not.include('whsec_');
  };
  const about = (session: object) => eventAbout(session, 'identity.verification_session.verified');
  const session = () => ({ object: 'identity.verification_session', client_reference_id: flowId });

  it('identifies its flow with either of two secrets', async () => {
    const body = about(session());
    expect(await receive(body, signatureOf(body))).to.equal(flowId);
    const rotating = createStripeIdentity({ ...settings, webhookSecrets: ['whsec_new', WEBHOOK_SECRET] });
    for (const secret of ['whsec_new', WEBHOOK_SECRET])
      expect(await receive(body, signatureOf(body, secret), rotating)).to.equal(flowId);
  });

  it('identifies no flow when it is about anything else', async () => {
    for (const other of [
      { ...session(), object: 'customer' },
      { ...session(), client_reference_id: null },
      { ...session(), client_reference_id: 'customer-42' },
      { ...session(), client_reference_id: `${flowId}\u0000` },
      {},
    ]) {
      const body = about(other);
      expect(await receive(body, signatureOf(body)), body).to.equal(undefined);
    }
  });

  it('is refused unless Stripe signed its exact bytes within the last five minutes', async () => {
    const body = about(session());
    const now = Date.now() / 1000;
    await refused(body, undefined);
    await refused(body, '');
    await refused(body, 't=1');
    await refused(body, signatureOf(body, 'whsec_other'));
    await refused(body, signatureOf(body, WEBHOOK_SECRET, now - 310));
    await refused(JSON.stringify(JSON.parse(body)), signatureOf(body));
    await refused(body.replace('verified', 'verifieD'), signatureOf(body));
    await refused('', signatureOf(''));
    await refused('no JSON', signatureOf('no JSON'));
    const { 1: time = '' } = /^t=(\d+)/.exec(signatureOf(body, WEBHOOK_SECRET, now - 310)) ?? [];
    await refused(body, signatureOf(body, WEBHOOK_SECRET, now - 310).replace(time, String(Math.floor(now))));
    expect(await receive(body, signatureOf(body, WEBHOOK_SECRET, now - 280))).to.equal(flowId);
  });

  it('is refused when Stripe signed it but it is no event', async () => {
    for (const value of [
      null,
      [],
      [{ data: {} }],
      'event',
      7,
      true,
      {},
      { data: null },
      { data: [] },
      { data: {} },
      { data: { object: null } },
      { data: { object: 'x' } },
    ]) {
      const body = JSON.stringify(value);
      await refused(body, signatureOf(body));
    }
  });
});
