import { expect } from 'chai';
import { loadDeliveries } from '../../db/webhooks/deliveries.ts';
import { resumeWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { addApplicant, addDelivery, addHook, emitTestEvent } from '../../harness/service/deliveries.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { attemptDelivery } from '../../jobs/webhooks/deliver-webhook.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';

databases('both');

const ROUNDS = 40;
const FUTURE = '2099-01-01T00:00:00.000Z';

describe('paused webhooks', () => {
  let tenantId: string;
  const test = useServicePerTest();
  const hook = testFixture(() => addHook(test.alice));
  beforeEach(async () => {
    tenantId = await addApplicant(test, test.alice, 'paused@mail.example');
  });

  const deliveries = () => test.service.runtime.db('deliveries');

  it('hold nothing once resumed, whatever happens concurrently', async () => {
    const { runtime } = test.service;
    for (let round = 0; round < ROUNDS; round++) {
      await pause(runtime, hook.id, 'a test');
      await Promise.all([emitTestEvent(test, tenantId), resume(runtime, hook.id), emitTestEvent(test, tenantId)]);
      const webhook = await runtime.db('webhooks').where({ id: hook.id }).first();
      const held = await deliveries().where({ status: 'pending', due_at: null });
      expect({ paused: webhook?.paused_at, held }).to.deep.equal({ paused: null, held: [] });
    }
    expect(await deliveries()).to.have.length(ROUNDS * 2);
    await hook.receiver.next('EID_SUCCESS');
  });

  it('hold nothing because of an earlier pause', async () => {
    const { runtime } = test.service;
    await pause(runtime, hook.id, 'a test');
    const id = await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at: FUTURE });
    const [read] = await loadDeliveries(runtime.db, [id], new Date());
    await resume(runtime, hook.id);
    if (!read) throw new Error('the delivery was not read');
    expect(await attemptDelivery(runtime, read)).to.equal(undefined);
    expect(await deliveries().where({ id }).first()).to.include({ status: 'pending', due_at: FUTURE });
  });

  it('are reported once when paused concurrently, and waiting deliveries are held', async () => {
    const { runtime } = test.service;
    const id = await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at: FUTURE });
    const paused = await Promise.all([pause(runtime, hook.id, 'one'), pause(runtime, hook.id, 'two')]);
    expect(paused.sort()).to.deep.equal([false, true]);
    expect(await deliveries().where({ id }).first()).to.include({ status: 'pending', due_at: null });
  });

  it('lose nothing when the resuming process dies before it sent the jobs', async () => {
    const { runtime } = test.service;
    await pause(runtime, hook.id, 'a test');
    await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending' });
    await runtime.db.transaction((trx) => resumeWebhook(trx, hook.id, new Date()));
    await hook.receiver.next('EID_SUCCESS');
  });
});
