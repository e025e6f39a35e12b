import { expect } from 'chai';
import { lockTenant } from '../../db/applications/tenants.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { onboardingPath, submit } from '../../harness/service/links.ts';
import { PROCESSING, StripeWorld, VERIFIED } from '../../harness/service/stripe-world.ts';
import { completeKyc } from '../../jobs/identity/complete-kyc.ts';
import { pollKycNow } from '../../jobs/identity/kyc-verifications.ts';

databases('both');

const DAY_MS = 86_400_000;

describe('a verification whose provider is slow or down', () => {
  const world = testFixture(() => StripeWorld.start());

  const verifications = () => world.test.service.runtime.db('kyc_verifications');
  /** Moves the clock to this offset from the end of the verification. */
  const goTo = async (tenantId: string, fromEndMs: number) => {
    const { expires_at } = await world.verification(tenantId);
    world.test.setNow(new Date(new Date(expires_at).getTime() + fromEndMs));
  };

  it('is not given up after a number of attempts, and resets their count once the provider answers', async () => {
    const { tenantId, session } = await world.startedVerification('reloads@mail.example');
    const { id } = await world.verification(tenantId);
    world.stripe.simulatedFailure = () => 'failure';
    await until('it was tried once more', async () => {
      // Again, in case the outcome of an earlier check was recorded in between.
      const few = verifications().where({ id }).where('failures', '<', 500);
      if (await few.update({ failures: 500, failure: 'away' })) await pollKycNow(world.test.service.runtime, id);
      return (await world.verification(tenantId)).failures > 500;
    });
    expect((await world.verification(tenantId)).status).to.equal('pending');
    world.stripe.simulatedFailure = () => undefined;
    await pollKycNow(world.test.service.runtime, id);
    await eventually('it is well again', async () => (await world.verification(tenantId)).failures === 0);
    expect((await world.verification(tenantId)).failure).to.equal(null);
    session.status = 'verified';
    await world.deliverMessage(VERIFIED, session);
    await world.ended(tenantId, 'verified');
  });

  it('that succeeds while the person declines is either reported or ended, never both', async () => {
    const { test } = world;
    for (let n = 0; n < 6; n++) {
      const email = `declines-${n}@mail.example`;
      const { tenantId, session } = await world.startedVerification(email);
      const { db } = test.service.runtime;
      const application = await db('participants').where({ email }).first('application_id');
      const path = await onboardingPath(test, application?.application_id ?? '', email);
      const decline = () => submit(test, path, { name: 'Nuri', answer: 'decline' });
      let declined: Promise<unknown> | undefined;
      // Every second time they decline before the provider's answer arrives.
      world.stripe.simulatedFailure = () => {
        if (n % 2 === 0) declined ??= decline();
        return undefined;
      };
      session.status = 'verified';
      await world.deliverMessage(VERIFIED, session);
      await (declined ?? decline());
      const { status, result } = await eventually('it is over', async () => {
        const row = await world.verification(tenantId);
        return row.status !== 'pending' && row;
      });
      expect(status).to.be.oneOf(['verified', 'expired']);
      expect(result !== null, 'kept').to.equal(status === 'verified');
      expect(await world.events(tenantId)).to.deep.equal(status === 'verified' ? ['KYC_VERIFICATION_DATA'] : []);
      await test.alice.refused('initiateKyc', 404, { params: { tenantId } });
    }
  });

  it('waits a day after its end for a provider that is down, and then fails', async () => {
    const { tenantId } = await world.startedVerification('away@mail.example');
    const { id } = await world.verification(tenantId);
    world.stripe.simulatedFailure = () => 'failure';
    await goTo(tenantId, DAY_MS - 60_000);
    await pollKycNow(world.test.service.runtime, id);
    await eventually('it was tried', async () => (await world.verification(tenantId)).failures > 0);
    expect((await world.verification(tenantId)).status).to.equal('pending');
    await goTo(tenantId, DAY_MS + 60_000);
    await pollKycNow(world.test.service.runtime, id);
    expect((await world.ended(tenantId, 'failed')).failure).to.include('Stripe did not answer');
  });

  it('stays open when the person submitted everything before its end', async () => {
    const { tenantId, session } = await world.startedVerification('handed-in@mail.example');
    await goTo(tenantId, -5_000);
    const { expires_at } = await world.verification(tenantId);
    session.status = 'processing';
    await world.deliverMessage(PROCESSING, session);
    await eventually('it stays open', async () => (await world.verification(tenantId)).expires_at > expires_at);
    world.test.setNow(new Date(new Date(expires_at).getTime() + 10_000));
    session.status = 'verified';
    await world.deliverMessage(VERIFIED, session);
    await world.ended(tenantId, 'verified');
    expect(await world.events(tenantId)).to.deep.equal(['KYC_VERIFICATION_DATA']);
  });

  if (dialect === 'postgres')
    it('does not deadlock with a concurrent call', async () => {
      const { tenantId, session } = await world.startedVerification('deadlock@mail.example');
      const { runtime } = world.test.service;
      const { id } = await world.verification(tenantId);
      session.status = 'verified';
      const waiting = async (count: number) =>
        until(`${count} wait for a lock`, async () => {
          const [{ waits }] = (
            await runtime.db.raw(
              "select count(*)::int as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rows;
          return waits >= count;
        });
      let free = () => {};
      const freed = new Promise<void>((resolve) => {
        free = resolve;
      });
      const held = Promise.withResolvers<void>();
      const holder = runtime.db.transaction(async (trx) => {
        await lockTenant(trx, tenantId);
        held.resolve();
        await freed;
      });
      // Not earlier, because the service closes expired verifications automatically.
      await held.promise;
      await verifications()
        .where({ id })
        .update({ expires_at: new Date(Date.now() - 10).toISOString() });
      const initiate = world.test.alice.call('initiateKyc', { params: { tenantId } });
      await waiting(1);
      const job = completeKyc(runtime, id);
      await waiting(2);
      free();
      await Promise.all([holder, job]);
      expect((await initiate).status).to.equal(200);
    });
});
