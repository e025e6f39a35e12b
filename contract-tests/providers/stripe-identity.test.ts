import { expect } from 'chai';
import { unsealText } from '../../core/secrets/secrets.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { send } from '../../harness/service/client.ts';
import { CANCELED, PROCESSING, REQUIRES_INPUT, StripeWorld, VERIFIED } from '../../harness/service/stripe-world.ts';

databases('either');

const MINUTES = 60_000;

describe('a service with Stripe Identity', () => {
  const world = testFixture(() => StripeWorld.start());

  describe('initiate-kyc', () => {
    it('creates one session with our reference, however often and concurrently it is called', async () => {
      const tenantId = await world.applicant('crowd@mail.example');
      await Promise.all(Array.from({ length: 50 }, () => world.test.alice.ok('listWorkspaces')));
      const urls = await Promise.all(Array.from({ length: 30 }, () => world.initiate(tenantId)));
      urls.push(await world.initiate(tenantId));
      expect(new Set(urls).size).to.equal(1);
      const { id } = await world.verification(tenantId);
      expect(world.stripe.session).to.include({ client_reference_id: id });
      expect(world.stripe.session.return_url?.startsWith(`${urls[0]}/`)).to.equal(true);
      expect(new Set(world.stripe.created().map(({ headers }) => headers['idempotency-key'])).size).to.equal(1);
    });

    it('fails while Stripe is down, and finishes the same start when it is back', async () => {
      const tenantId = await world.applicant('away@mail.example');
      world.stripe.simulatedFailure = () => 'lost answer';
      await world.test.alice.refused('initiateKyc', 500, { params: { tenantId } });
      world.stripe.simulatedFailure = () => undefined;
      await world.initiate(tenantId);
      expect(world.stripe.session.client_reference_id).to.equal((await world.verification(tenantId)).id);
      expect(new Set(world.stripe.created().map(({ headers }) => headers['idempotency-key'])).size).to.equal(1);
    });

    it('stores the session encrypted', async () => {
      const { tenantId, session } = await world.startedVerification('sealed@mail.example');
      expect(JSON.stringify(await world.verification(tenantId))).to.not.include(session.id);
    });

    it('starts a new session after a finished one, an hour after that began', async () => {
      const { tenantId, session } = await world.startedVerification('again@mail.example');
      session.status = 'verified';
      await world.deliverMessage(VERIFIED, session);
      const { id, created_at } = await world.ended(tenantId, 'verified');
      const earlier = new Date(Date.parse(created_at) - 3_600_000).toISOString();
      await world.test.service.runtime.db('kyc_verifications').where({ id }).update({ created_at: earlier });
      await world.initiate(tenantId);
      expect(world.stripe.sessions.size).to.equal(2);
      expect((await world.verifications(tenantId)).map(({ status }) => status)).to.have.members([
        'verified',
        'pending',
      ]);
    });
  });

  describe('the link to Stripe', () => {
    const follow = async (page: string) =>
      send(world.test.service.url, 'GET', page.slice(world.test.service.url.length));

    it('leads from our page to an address that is new each time, because it is single-use', async () => {
      const url = await world.initiate(await world.applicant('sets-out@mail.example'));
      const redirects = [await follow(`${url}/continue`), await follow(`${url}/continue`)];
      for (const { status, headers } of redirects) {
        expect(status).to.equal(303);
        expect(headers['location']).to.match(new RegExp(`^${world.stripe.url}/start/`));
      }
      expect(redirects[0]?.headers['location']).to.not.equal(redirects[1]?.headers['location']);
    });

    it('leads back to our page while Stripe checks, and when the flow is over', async () => {
      const tenantId = await world.applicant('handed-in@mail.example');
      const url = await world.initiate(tenantId);
      world.stripe.session.status = 'processing';
      const { status, headers } = await follow(`${url}/continue`);
      expect(status).to.equal(303);
      expect(new URL(String(headers['location']), `${url}/continue`).href).to.equal(world.stripe.session.return_url);
      world.stripe.session.status = 'verified';
      await world.deliverMessage(VERIFIED, world.stripe.session);
      await world.ended(tenantId, 'verified');
      expect((await follow(`${url}/continue`)).status).to.equal(200);
    });

    it('reports when Stripe is down, and works again when it is back', async () => {
      const url = await world.initiate(await world.applicant('waits@mail.example'));
      world.stripe.simulatedFailure = () => 'failure';
      expect((await follow(`${url}/continue`)).status).to.equal(503);
      world.stripe.simulatedFailure = () => undefined;
      expect((await follow(`${url}/continue`)).status).to.equal(303);
    });

    it('stays open for a person who returns without submitting anything', async () => {
      await world.initiate(await world.applicant('comes-back-empty@mail.example'));
      const { status, text } = await follow(String(world.stripe.session.return_url));
      expect(status).to.equal(200);
      expect(text).to.include('Continue').and.not.include('Sandbox');
    });

    it('fetches the outcome when the person returns, before any message', async () => {
      const tenantId = await world.applicant('comes-back@mail.example');
      await world.initiate(tenantId);
      world.stripe.session.status = 'verified';
      expect((await follow(String(world.stripe.session.return_url))).status).to.equal(200);
      await world.ended(tenantId, 'verified');
    });
  });

  describe('a success', () => {
    it('reaches each webhook once and starts the forensic run, despite repeated and reordered messages', async () => {
      const { tenantId, session } = await world.startedVerification('succeeds@mail.example', 1);
      session.status = 'verified';
      session.last_verification_report = { document: { type: 'passport', first_name: 'Eva', last_name: 'Ñandú' } };
      await Promise.all(
        Array.from({ length: 10 }, () => [
          world.sendMessage(VERIFIED, session),
          world.sendMessage(PROCESSING, session),
        ]).flat(),
      );
      await world.ended(tenantId, 'verified');
      await Promise.all(Array.from({ length: 10 }, () => world.deliverMessage(PROCESSING, session)));
      for (const receiver of world.receivers) {
        const [delivery] = await receiver.next('KYC_VERIFICATION_DATA');
        expect(delivery?.data).to.include({
          tenant_id: tenantId,
          provider: 'stripe',
          verification_session: session.id,
          document_type: 'passport',
          name: 'Eva Ñandú',
        });
        await receiver.next('FORENSIC_ANALYSIS_DATA');
      }
      const { result } = await world.verification(tenantId);
      const { keys } = world.test.service.runtime;
      expect(JSON.parse(unsealText(result ?? '', keys.encryption))).to.include({
        verification_session: session.id,
        name: 'Eva Ñandú',
      });
      expect(await world.events(tenantId)).to.have.members(['KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA']);
    });

    it('is found by polling when its message was lost', async () => {
      const { tenantId, session } = await world.startedVerification('lost@mail.example');
      session.status = 'verified';
      world.test.setNow(new Date(Date.now() + 6 * MINUTES));
      await world.ended(tenantId, 'verified');
    });

    it('counts even when it is found after the time limit', async () => {
      const { tenantId, session } = await world.startedVerification('found-late@mail.example');
      session.status = 'verified';
      world.test.setNow(new Date(Date.now() + 25 * 60 * MINUTES));
      await world.ended(tenantId, 'verified');
    });

    it('is polled for at the latest when the time expires', async () => {
      const { tenantId } = await world.startedVerification('short@mail.example');
      world.test.setNow(new Date(Date.now() + (24 * 60 - 2) * MINUTES));
      await eventually('Stripe was asked, and will be again at the end', async () => {
        const { due_at, expires_at } = await world.verification(tenantId);
        return world.looks() > 0 && due_at === expires_at;
      });
    });

    it('is not lost when Stripe is down when its message arrives', async () => {
      const { tenantId, session } = await world.startedVerification('back@mail.example');
      session.status = 'verified';
      world.stripe.simulatedFailure = () => 'reset';
      await world.deliverMessage(VERIFIED, session);
      const { failure } = await eventually('it was tried without success', async () => {
        const row = await world.verification(tenantId);
        return row.failures > 0 && row;
      });
      expect(failure).to.include('Stripe did not answer').and.not.include(session.id);
      world.stripe.simulatedFailure = () => undefined;
      expect(await world.ended(tenantId, 'verified')).to.include({ failure: null });
      expect(await world.events(tenantId)).to.deep.equal(['KYC_VERIFICATION_DATA']);
    });
  });

  describe('any other outcome', () => {
    it('is stored with its reason and sends no event', async () => {
      const rejected = await world.startedVerification('rejected@mail.example');
      rejected.session.last_error = { code: 'document_expired', reason: 'The document is expired.' };
      await world.deliverMessage(REQUIRES_INPUT, rejected.session);
      expect(await world.ended(rejected.tenantId, 'rejected')).to.include({
        failure: 'The identity document has expired.',
      });
      const canceled = await world.startedVerification('canceled@mail.example');
      canceled.session.status = 'canceled';
      await world.deliverMessage(CANCELED, canceled.session);
      await world.ended(canceled.tenantId, 'failed');
      for (const { tenantId } of [rejected, canceled]) expect(await world.events(tenantId)).to.be.empty;
    });

    it('is final: a later success changes nothing', async () => {
      const { tenantId, session } = await world.startedVerification('too-late@mail.example');
      session.last_error = { code: 'selfie_face_mismatch', reason: null };
      await world.deliverMessage(REQUIRES_INPUT, session);
      const row = await world.ended(tenantId, 'rejected');
      session.status = 'verified';
      const before = world.looks();
      await world.deliverMessage(VERIFIED, session);
      expect(await world.verification(tenantId)).to.deep.equal(row);
      // A later success shows that messages were processed throughout.
      const fence = await world.startedVerification('fence@mail.example');
      fence.session.status = 'verified';
      await world.deliverMessage(VERIFIED, fence.session);
      await world.ended(fence.tenantId, 'verified');
      expect(world.looks()).to.equal(before + 1);
      expect(await world.verification(tenantId)).to.deep.equal(row);
      expect(await world.events(tenantId)).to.be.empty;
    });
  });
});
