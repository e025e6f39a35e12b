import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

type Row = Record<string, unknown>;

describe('the command line’s events', () => {
  // Workers would forget events as old as these.
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  const hook = suiteFixture(() => addHook(test.alice));

  const BODY = '{"event":"EID_SUCCESS","data":null}';
  const eventOf = async (deliveryId: string) =>
    (await test.service.runtime.db('deliveries').where({ id: deliveryId }).first())?.event_id ?? '';

  it('lists events by tenant, kind and time, newest first, and never their bodies', async () => {
    const tenantId = await addApplicant(test, test.alice, 'told@mail.example');
    const other = await addApplicant(test, test.alice, 'other@mail.example');
    const at = (tenant: string, day: string, event = 'EID_SUCCESS') =>
      addDelivery(test, tenant, { webhook_id: hook.id, event, created_at: `${day}T12:00:00.000Z`, body: BODY });
    const old = await eventOf(await at(tenantId, '2026-01-01', 'KYC_VERIFICATION_DATA'));
    const recent = await eventOf(await at(tenantId, '2026-02-01'));
    const another = await eventOf(await at(other, '2026-03-01'));
    const ids = async (...args: string[]) =>
      (await admin.json<Row[]>('event', 'list', ...args)).map(({ event_id }) => event_id);
    expect(await ids()).to.deep.equal([another, recent, old]);
    expect(await ids('--tenant', 'TOLD@mail.example')).to.deep.equal([recent, old]);
    expect(await ids('--tenant', tenantId, '--since', '2026-01-15')).to.deep.equal([recent]);
    expect(await ids('--event', 'KYC_VERIFICATION_DATA')).to.deep.equal([old]);
    expect(await admin.text('event', 'list', '--limit', '1')).to.match(/newest 1; --limit shows more/);
    const [listed] = await admin.json<Row[]>('event', 'list', '--limit', '1');
    expect(listed).to.include({ event: 'EID_SUCCESS', tenant_id: other, webhooks: 1, delivered: 1, body_kept: true });
    expect(JSON.stringify(listed)).to.not.include('data');
    await misunderstood('event', 'list', '--event', 'NOTHING');
    expect(await admin.refused(1, ['event', 'list', '--tenant', 'nobody@mail.example'])).to.match(/tenant list/);
  });

  it('shows an event’s outcome at each webhook, and its body only on request and while it is kept', async () => {
    const tenantId = await addApplicant(test, test.alice, 'shown@mail.example');
    const delivery = await addDelivery(test, tenantId, {
      webhook_id: hook.id,
      status: 'failed',
      body: '{"event":"EID_SUCCESS","data":"\\u0007 secret"}',
      tries: [{ error: 'answered 500', status_code: 500 }],
      last_error: 'answered 500',
    });
    const id = await eventOf(delivery);
    const shown = await admin.json<Row>('event', 'show', id);
    expect(shown).to.include({ event_id: id, event: 'EID_SUCCESS', tenant_id: tenantId, body_kept: true });
    expect(shown).to.not.have.property('body');
    const [told, ...others] = shown['deliveries'] as Row[];
    expect(others).to.deep.equal([]);
    expect(told).to.include({ delivery_id: delivery, webhook_id: hook.id, client_id: test.alice.clientId });
    expect(told).to.include({ status: 'failed', attempts: 1, last_error: 'answered 500', url: hook.receiver.url });
    expect(await admin.text('event', 'show', id))
      .to.include(delivery)
      .and.not.include('secret');
    expect(await admin.text('event', 'show', id, '--body')).to.match(/"data": "\\u0007 secret"/);
    await test.service.runtime.db('events').where({ id }).update({ body: null });
    expect(await admin.json('event', 'show', id, '--body')).to.include({ body: null, body_kept: false });
    expect(await admin.refused(1, ['event', 'show', 'none'])).to.match(/no event has the id "none"/);
  });
});
