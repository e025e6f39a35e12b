import { expect } from 'chai';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { document } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { verify } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin, columnsOf, misunderstood } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook, emitTestEvent, type Hook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { pause } from '../../jobs/webhooks/webhook-care.ts';

databases('either');

const SECRET = 'whsec_bm93aGVyZSBpbiBhbnkgbGlzdCBvZiB0aGUgY29tbWFuZCBsaW5l';
const TENANT = 'webhooks@mail.example';
const FUTURE = '2099-01-01T00:00:00.000Z';

type Row = Record<string, unknown>;

describe('the command line’s webhooks', () => {
  let tenantId: string;
  const hooks: Hook[] = [];
  const test = useService();
  const admin = new Admin(test);
  before(async () => {
    tenantId = await addApplicant(test, test.alice, TENANT);
  });
  after(async () => {
    for (const { receiver } of hooks) await receiver.stop();
  });
  beforeEach(async () => {
    const { db } = test.service.runtime;
    for (const table of ['delivery_attempts', 'deliveries', 'events', 'webhooks'] as const) await db(table).delete();
  });

  const hook = async (...given: Parameters<typeof addHook>) => {
    const added = await addHook(...given);
    hooks.push(added);
    return added;
  };
  const row = (id: string) => test.service.runtime.db('webhooks').where({ id }).first();
  const deliveriesOf = (id: string) => test.service.runtime.db('deliveries').where({ webhook_id: id });
  const list = (...args: string[]) => admin.json<Row[]>('webhook', 'list', ...args);

  describe('list', () => {
    it('shows each webhook’s state with its reason, its key, waiting and failed deliveries, and no secret', async () => {
      const { db } = test.service.runtime;
      const [failing, paused, other] = [
        await hook(test.alice, SECRET),
        await hook(test.alice),
        await hook(test.charlie),
      ];
      await db('webhooks').where({ id: failing.id }).update({ failing_since: '2027-01-31T12:00:00.000Z' });
      await pause(test.service.runtime, paused.id, 'moves on Monday');
      await addDelivery(test, tenantId, { webhook_id: failing.id, status: 'pending', due_at: FUTURE });
      for (const status of ['failed', 'failed', 'delivered'] as const)
        await addDelivery(test, tenantId, { webhook_id: failing.id, status });
      await addDelivery(test, tenantId, { webhook_id: paused.id, status: 'pending' });
      const all = await list();
      const shown = (id: string) => all.find(({ webhook_id }) => webhook_id === id);
      expect(all.map(({ webhook_id }) => webhook_id)).to.have.members([failing.id, paused.id, other.id]);
      expect(shown(failing.id)).to.include({
        status: 'failing',
        failing_since: '2027-01-31T12:00:00.000Z',
        signed: true,
      });
      expect(shown(failing.id)).to.include({ pending: 1, held: 0, failed: 2, client_id: test.alice.clientId });
      expect(shown(paused.id)).to.include({ status: 'paused', pause_reason: 'moves on Monday', signed: false });
      expect(shown(paused.id)).to.include({ pending: 0, held: 1, failed: 0, former_secrets_until: null });
      expect(shown(other.id)).to.include({ status: 'active', paused_at: null, client_id: test.charlie.clientId });
      const human = await admin.text('webhook', 'list');
      expect(columnsOf(human)).to.include.members(['webhook id', 'address', 'state', 'signed', 'waiting', 'failed']);
      expect(human).to.include('paused: moves on Monday').and.include('failing since 2027-01-31');
      const narrow = await admin.run(['webhook', 'list'], { COLUMNS: '120' });
      expect(columnsOf(narrow.stdout)).to.include.members(['webhook id', 'address']);
      expect(narrow.stdout).to.include(' failing since 2027-01-31 ');
      const sealed = (await row(failing.id))?.sealed_secret ?? SECRET;
      for (const printed of [JSON.stringify(all), human])
        for (const secret of [SECRET, SECRET.slice('whsec_'.length), sealed]) expect(printed).to.not.include(secret);
    });

    it('filters by state and API key, newest first', async () => {
      const [active, paused, other] = [await hook(test.alice), await hook(test.alice), await hook(test.charlie)];
      await pause(test.service.runtime, paused.id, 'to try');
      // All three may have been created in the same millisecond.
      await test.service.runtime.db('webhooks').where({ id: other.id }).update({ created_at: FUTURE });
      const ids = async (...args: string[]) => (await list(...args)).map(({ webhook_id }) => webhook_id);
      expect(await ids('--status', 'paused')).to.deep.equal([paused.id]);
      expect(await ids('--status', 'failing')).to.deep.equal([]);
      expect(await ids('--status', 'active', '--client-id', test.alice.clientId)).to.deep.equal([active.id]);
      expect(await ids('--limit', '1')).to.deep.equal([other.id]);
      await misunderstood('webhook', 'list', '--status', 'gone');
    });
  });

  describe('test', () => {
    it('sends the contract’s example signed like every delivery, shows the response, and stores nothing', async () => {
      const { id, receiver } = await hook(test.alice, SECRET);
      await pause(test.service.runtime, id, 'to try');
      const told = await admin.json<Row>('webhook', 'test', id);
      expect(told).to.include({ event: 'EID_SUCCESS', signed: true, status_code: 200, error: null });
      expect(told['message_id']).to.match(/^msg_test_[0-9a-f]{32}$/);
      expect(told['duration_ms']).to.be.a('number');
      for (const event of ['KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'])
        await admin.text('webhook', 'test', id, '--event', event);
      expect(receiver.faults).to.deep.equal([]);
      const [first] = receiver.received;
      expect(first?.headers['webhook-id']).to.equal(told['message_id']);
      for (const delivery of receiver.received) {
        verify(delivery, SECRET);
        expect(JSON.stringify(document)).to.include(delivery.body);
      }
      expect(receiver.received.map(({ event }) => event)).to.have.length(3);
      expect(await deliveriesOf(id)).to.deep.equal([]);
      expect(await row(id)).to.include({ last_triggered_at: null, failing_since: null });
    });

    it('exits with 1 when the endpoint does not answer 2xx or at all, or its key was revoked', async () => {
      const { id, receiver } = await hook(test.bob);
      receiver.answer = () => 302;
      const refused = await admin.run(['webhook', 'test', id, '--json']);
      expect(refused).to.include({ code: 1, stderr: '' });
      expect(JSON.parse(refused.stdout)).to.include({ status_code: 302, error: 'answered 302', signed: false });
      await receiver.stop();
      const silent = await admin.run(['webhook', 'test', id]);
      expect(silent).to.include({ code: 1, stderr: '' });
      expect(silent.stdout).to.match(/^The endpoint did not accept the event: /);
      await revokeApiKey(test.service.runtime.db, test.bob.clientId, new Date());
      expect(await admin.refused(1, ['webhook', 'test', id])).to.match(/was revoked/);
      expect((await list())[0]?.['api_key_revoked_at']).to.be.a('string');
    });
  });

  describe('pause and resume', () => {
    it('refuse a webhook that does not exist', async () => {
      for (const verb of ['pause', 'resume', 'test', 'rotate-secret'])
        expect(await admin.refused(1, ['webhook', verb, 'none'])).to.match(
          /no webhook has the id "none"; list them with/,
        );
    });

    // Last, because it keeps sending until the service stops.
    it('hold events in the meantime and then send all of them, even thousands, each with a full retry schedule', async () => {
      const { id, receiver } = await hook(test.alice);
      await addDelivery(test, tenantId, { webhook_id: id, status: 'pending', due_at: FUTURE, attempts: 7 });
      const paused = await admin.json('webhook', 'pause', id, '--reason', 'moves on Monday');
      expect(paused).to.include({ status: 'paused', pause_reason: 'moves on Monday', held: 1, pending: 0 });
      await emitTestEvent(test, tenantId);
      await eventually('the event is held', async () => (await deliveriesOf(id).where({ due_at: null })).length === 2);
      expect((await list())[0]).to.include({ held: 2, pending: 0 });
      expect(receiver.received).to.be.empty;
      expect(await admin.text('webhook', 'pause', id)).to.match(/paused before; nothing changed/);
      const { db } = test.service.runtime;
      const [event] = await db('events');
      const [delivery] = await deliveriesOf(id).where({ due_at: null });
      if (!event || !delivery) throw new Error('Nothing is held.');
      const many = Array.from({ length: 1100 }, (_, index) => String(index));
      await db.batchInsert(
        'events',
        many.map((place) => ({ ...event, id: place })),
        50,
      );
      await db.batchInsert(
        'deliveries',
        many.map((place) => ({ ...delivery, id: place, event_id: place })),
        50,
      );
      const resumed = await admin.json('webhook', 'resume', id);
      expect(resumed).to.include({ status: 'active', resumed: 1102, paused_at: null, failing_since: null });
      await receiver.next('EID_SUCCESS', 50);
      await eventually(
        'nothing is held',
        async () => (await deliveriesOf(id).where({ status: 'pending', due_at: null })).length === 0,
      );
      const [retried] = await deliveriesOf(id).where('attempts', '>=', 7);
      expect(retried?.schedule_from).to.equal(7);
      expect(await admin.text('webhook', 'resume', id)).to.match(/was not paused; nothing changed/);
    });
  });
});
