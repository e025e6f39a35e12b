import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { findApiKeyByClientId } from '../../db/access/api-keys.ts';
import { databases } from '../../harness/database/dialect.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';

databases('postgres');

const CALLS = times(30, 300);
/** Its turn ended with the lock's time limit, or never came. */
const OVER = 503;
/** Longer than DATABASE_LOCK_SECONDS, shorter than all waits of a transaction. */
const LONGER_MS = 2_300;

describe('locked rows of one API key', () => {
  const test = suiteFixture(() =>
    startTestService({
      DATABASE_LOCK_SECONDS: '1',
      DATABASE_CONNECT_SECONDS: '2',
      DATABASE_TURN_SECONDS: '4',
      // For the transaction that holds the locks.
      DATABASE_IDLE_SECONDS: '600',
      // All come from one address, which may hold a tenth.
      HTTP_CONNECTIONS: '20000',
      RUN_WORKERS: 'false',
    }),
  );

  it('fail no call of other keys, and end those of their own key', async () => {
    const { db } = test.service.runtime;
    const locked = await findApiKeyByClientId(db, test.alice.clientId);
    const create = (client: typeof test.alice, number: number) =>
      client.call('createApplication', {
        body: { title: 'Locked', tenants: [{ email: `person-${number}@mail.example`, is_lead: true }] },
      });
    await db.transaction(async (holder) => {
      await holder('api_keys')
        .where({ id: locked?.id ?? '' })
        .forUpdate()
        .first();
      const own = Array.from({ length: CALLS }, (_, number) => create(test.alice, number));
      for (let number = 0; number < CALLS; number++) {
        expect((await create(test.charlie, number)).status).to.equal(200);
        expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
        expect((await test.alice.call('listWorkspaces')).status, 'reads lock nothing').to.equal(200);
      }
      for (const { status } of await Promise.all(own)) expect(status).to.equal(OVER);
    });
    expect((await create(test.alice, CALLS)).status).to.equal(200);
    figure(`${CALLS} calls of the key waited; 0 of ${3 * CALLS} others failed`);
  });

  it('of a tenant behave alike, although the operations are named GET', async () => {
    const { db } = test.service.runtime;
    const { id: tenantId } = await test.tenant('locked@mail.example', { of: test.alice });
    await db.transaction(async (holder) => {
      await holder('tenants').where({ id: tenantId }).forUpdate().first();
      const own = Array.from({ length: CALLS * 2 }, (_, number) =>
        test.alice.call(number % 2 ? 'runForensic' : 'initiateKyc', { params: { tenantId } }),
      );
      for (let number = 0; number < CALLS; number++) {
        expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
        expect((await test.alice.call('listWorkspaces')).status).to.equal(200);
      }
      await test.alice.authenticate();
      for (const { status } of await Promise.all(own)) expect(status).to.equal(OVER);
    });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    figure(`${2 * CALLS} calls of the key waited; 0 of ${2 * CALLS} others failed`);
  });
});

describe('rows that are locked', () => {
  const LIMITS = { DATABASE_QUERY_SECONDS: '4', DATABASE_LOCK_SECONDS: '2', DATABASE_IDLE_SECONDS: '600' };
  const test = useService({ ...LIMITS, RUN_WORKERS: 'false' });

  it('for a little longer than the limit of one wait delay the call, and fail none', async () => {
    const { db } = test.service.runtime;
    const { id: tenantId } = await test.tenant('briefly-locked@mail.example', { of: test.alice });
    const locked = await findApiKeyByClientId(db, test.alice.clientId);
    /** Fulfilled once the lock is held. */
    const hold = async (table: 'tenants' | 'api_keys', id: string) => {
      const { promise: isHeld, resolve } = Promise.withResolvers<void>();
      const over = db.transaction(async (holder) => {
        await holder(table).where({ id }).forUpdate().first();
        resolve();
        await wait(LONGER_MS);
      });
      await Promise.race([isHeld, over]);
      return { over };
    };
    for (const operation of ['initiateKyc', 'runForensic'] as const) {
      const { over } = await hold('tenants', tenantId);
      await test.alice.ok(operation, { params: { tenantId } });
      await over;
    }
    const ofKey = await hold('api_keys', locked?.id ?? '');
    const tenants = [{ email: 'late@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Late', tenants } });
    await ofKey.over;
    const ofErased = await hold('tenants', tenantId);
    await erasePerson(test.service.runtime, tenantId, { note: async () => {} });
    await ofErased.over;
  });
});
