import { inspect } from 'node:util';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import english from '../../core/texts/en.json' with { type: 'json' };
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type SimulatedFailure, StripeStandIn } from '../../harness/service/stripe.ts';
import type { IdentityFlow, KycProvider } from '../../providers/identity/port.ts';
import { createStripeIdentity } from '../../providers/identity/stripe-identity.ts';

databases('none');

const RETURN_URL = 'https://screening.example/verify/kyc/secret-link/returned';
const PERSON = { id: newId(), email: 'confidential@mail.example', name: 'Confidencia Reservada' };

describe('Stripe Identity', () => {
  let kyc: KycProvider;
  let flow: IdentityFlow;
  const stripe = testFixture(() => StripeStandIn.start());
  beforeEach(() => {
    kyc = createStripeIdentity(stripe.settings);
    flow = { id: newId(), tenant: PERSON, startedAt: new Date(), memory: null };
  });

  const started = async (): Promise<IdentityFlow> => ({ ...flow, memory: await kyc.start(flow, RETURN_URL) });
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('It worked.'),
      (error: unknown) => error,
    );

  describe('starting', () => {
    it('creates one session with our reference, whatever gets lost on the way', async () => {
      const troubles: (SimulatedFailure | undefined)[] = ['lost answer', undefined, 'reset'];
      stripe.simulatedFailure = () => troubles.shift();
      const first = await kyc.start(flow, RETURN_URL);
      expect(await kyc.start(flow, RETURN_URL)).to.equal(first);
      expect(first).to.equal(stripe.session.id);
      expect(stripe.session).to.include({ client_reference_id: flow.id, return_url: RETURN_URL });
      const keys = stripe.created().map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.have.length(4);
      expect(new Set(keys)).to.have.keys(`kyc-${flow.id}-0`);
    });

    it('does not repeat a failure that Stripe stores for a key: an hour later it uses another', async () => {
      stripe.simulatedFailure = () => 'kept failure';
      expect(await failureOf(kyc.start(flow, RETURN_URL))).to.be.instanceOf(ProviderUnavailable);
      stripe.simulatedFailure = () => undefined;
      expect(await failureOf(kyc.start(flow, RETURN_URL))).to.be.instanceOf(ProviderUnavailable);
      const startedAt = new Date(flow.startedAt.getTime() - 3_600_000);
      expect(await kyc.start({ ...flow, startedAt }, RETURN_URL)).to.equal(stripe.session.id);
    });

    it('creates one session even when the clock that began the flow is ahead of ours', async () => {
      const ahead = { ...flow, startedAt: new Date(Date.now() + 60_000) };
      await kyc.start(ahead, RETURN_URL);
      const [{ headers } = expect.fail()] = stripe.created();
      expect(headers['idempotency-key']).to.equal(`kyc-${flow.id}-0`);
    });

    it('creates nothing more for a flow that has its session', async () => {
      const remembering = await started();
      expect(await kyc.start(remembering, RETURN_URL)).to.equal(remembering.memory);
      expect(stripe.requests).to.have.length(1);
    });

    it('requests an identity document, or the configured verification flow', async () => {
      await kyc.start(flow, RETURN_URL);
      await createStripeIdentity({ ...stripe.settings, verificationFlow: 'vf_1' }).start(
        { ...flow, id: newId() },
        RETURN_URL,
      );
      const [document, own] = stripe.created().map(({ fields }) => fields);
      expect(document).to.include({ type: 'document' }).and.not.have.property('verification_flow');
      expect(own).to.include({ verification_flow: 'vf_1' }).and.not.have.property('type');
    });

    it('sends Stripe neither name nor e-mail address, nothing about the machine, and the API version it was written for', async () => {
      await started();
      const told = JSON.stringify(stripe.requests);
      expect(told).to.not.include('confidential').and.not.include('Confidencia').and.not.include('telemetry_id');
      const [{ headers } = expect.fail()] = stripe.requests;
      expect(headers).to.include({ 'stripe-version': '2026-10-28.endive' });
      expect(JSON.parse(String(headers['x-stripe-client-user-agent']))).to.not.have.property('platform');
    });
  });

  describe('when Stripe does not answer', () => {
    for (const trouble of ['failure', 'busy', 'silence', 'reset'] as const)
      it(`reports it after ${trouble}, without the link, the person or the key`, async () => {
        const impatient = createStripeIdentity(stripe.settings, 100);
        const remembering = await started();
        stripe.simulatedFailure = () => trouble;
        for (const work of [
          impatient.start(flow, RETURN_URL),
          impatient.address(remembering),
          impatient.outcome(remembering),
        ]) {
          const error = await failureOf(work);
          expect(error).to.be.instanceOf(ProviderUnavailable);
          expect(inspect(error, { depth: 9 }))
            .to.match(/Stripe did not answer: Stripe\w+Error/)
            .and.not.match(/secret-link|confidential|Confidencia|sk_test/i);
        }
      });

    it('reports a refused key without showing it', async () => {
      const error = await failureOf(
        createStripeIdentity({ ...stripe.settings, secretKey: 'sk_test_other' }).start(flow, RETURN_URL),
      );
      expect(error).to.be.instanceOf(ProviderUnavailable);
      expect(inspect(error, { depth: 9 }))
        .to.include('401')
        .and.not.include('sk_test');
    });
  });

  describe('the address', () => {
    it('is fetched each time, because it is single-use', async () => {
      const remembering = await started();
      const [first, second] = [await kyc.address(remembering), await kyc.address(remembering)];
      for (const address of [first, second]) expect(address).to.match(new RegExp(`^${stripe.url}/start/`));
      expect(second).to.not.equal(first);
    });

    it('is null while Stripe checks and when the flow is over', async () => {
      const remembering = await started();
      for (const status of ['processing', 'verified', 'canceled']) {
        stripe.session.status = status;
        expect(await kyc.address(remembering), status).to.equal(null);
      }
    });
  });

  describe('the outcome', () => {
    const outcomeWhen = async (changes: Partial<StripeStandIn['session']>) => {
      const remembering = await started();
      Object.assign(stripe.session, changes);
      return kyc.outcome(remembering);
    };
    const document = {
      status: 'verified',
      type: 'passport',
      issuing_country: 'ES',
      first_name: 'Confidencia',
      last_name: 'Reservada',
      number: 'XDA123456',
      dob: { day: 1, month: 2, year: 1990 },
      address: { line1: 'Gran Vía 7' },
    };

    it('of a success contains the name and the document’s kind and country, and nothing more', async () => {
      const report = { id: 'vr_1', object: 'identity.verification_report', document };
      const outcome = await outcomeWhen({ status: 'verified', last_verification_report: report });
      expect(outcome).to.deep.equal({
        state: 'verified',
        result: {
          provider: 'stripe',
          result: 'verified',
          verification_session: stripe.session.id,
          document_type: 'passport',
          issuing_country: 'ES',
          name: 'Confidencia Reservada',
        },
      });
    });

    it('of a success omits what Stripe does not provide', async () => {
      const bare = { provider: 'stripe', result: 'verified' };
      const first = await outcomeWhen({ status: 'verified' });
      expect(first).to.deep.equal({ state: 'verified', result: { ...bare, verification_session: stripe.session.id } });
    });

    it('is open before the start, while Stripe waits or checks, and in an unknown status', async () => {
      expect(await kyc.outcome(flow)).to.deep.equal({ state: 'pending' });
      for (const status of ['requires_input', 'requires_prayer'])
        expect(await outcomeWhen({ status }), status).to.deep.equal({ state: 'pending' });
      expect(await outcomeWhen({ status: 'processing' })).to.deep.equal({ state: 'pending', handedIn: true });
    });

    it('is open while the person has submitted nothing', async () => {
      for (const code of ['abandoned', 'device_not_supported'])
        expect(await outcomeWhen({ last_error: { code, reason: 'Left.' } }), code).to.deep.equal({ state: 'pending' });
    });

    it('of a refusal gives the reason in our words, which have translations, or else in Stripe’s', async () => {
      const reasonOf = async (code: string | null, reason: string | null) =>
        outcomeWhen({ last_error: { code, reason } });
      const theirs = 'Something new is wrong.';
      for (const code of ['document_expired', 'consent_declined', 'selfie_manipulated']) {
        const ours = Object.entries(english).find(([message]) => message === `reason.${code}`)?.[1];
        expect(await reasonOf(code, theirs), code).to.deep.equal({ state: 'rejected', reason: ours });
      }
      for (const code of ['new_to_us', 'toString', null]) {
        expect(await reasonOf(code, theirs), String(code)).to.deep.equal({ state: 'rejected', reason: theirs });
        const unknown = english['reason.unknown'];
        expect(await reasonOf(code, null), String(code)).to.deep.equal({ state: 'rejected', reason: unknown });
      }
    });

    it('is a failure when the session was canceled or redacted, even after a success', async () => {
      expect(await outcomeWhen({ status: 'canceled' })).to.include({ state: 'failed' });
      for (const status of ['processing', 'redacted'])
        expect(await outcomeWhen({ status: 'verified', redaction: { status } })).to.include({ state: 'failed' });
    });

    it('of a session that belongs to another flow is never accepted', async () => {
      const remembering = await started();
      stripe.session.status = 'verified';
      for (const other of [newId(), null, `${flow.id}x`]) {
        stripe.session.client_reference_id = other;
        for (const work of [kyc.outcome(remembering), kyc.address(remembering)])
          expect(String(await failureOf(work))).to.include('another flow');
      }
    });
  });
});
