import { expect } from 'chai';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { deleteWebhook } from '../../db/webhooks/webhooks.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver, verify } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook, emitTestEvent } from '../../harness/service/deliveries.ts';
import { type TestService, useService } from '../../harness/service/service.ts';

databases('either');

type Row = Record<string, unknown>;
const SECRET = 'whsec_bm93aGVyZSBpbiBhbnkgbGlzdCBvZiB0aGUgY29tbWFuZCBsaW5l';

/** Collects the service's log from now on. */
function listen({ service }: TestService) {
  const logged: Record<'info' | 'warn' | 'error', unknown[][]> = { info: [], warn: [], error: [] };
  for (const level of ['info', 'warn', 'error'] as const)
    service.runtime.log[level] = (...line: unknown[]) => void logged[level].push(line);
  return logged;
}

function isAbout(line: unknown, delivery: string | undefined): boolean {
  return typeof line === 'object' && line !== null && 'delivery' in line && line.delivery === delivery;
}

describe('creating and deleting webhooks by command line', () => {
  const receivers: Receiver[] = [];
  const test = useService();
  const admin = new Admin(test);
  after(async () => {
    for (const receiver of receivers) await receiver.stop();
  });

  const newReceiver = async () => {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    return receiver;
  };
  const audited = (resource_id: unknown) =>
    test.service.runtime
      .db('audit_entries')
      .where('resource_id', String(resource_id))
      .orderBy('sequence')
      .pluck('action');
  const create = (client: TestService['alice'], url: string, ...more: string[]) => [
    'webhook',
    'create',
    '--client-id',
    client.clientId,
    '--url',
    url,
    ...more,
  ];

  it('create: its key’s events arrive, signed with the secret shown once, or with a given one', async () => {
    const tenantId = await addApplicant(test, test.alice, 'created@mail.example');
    const [made, given, unsigned] = [await newReceiver(), await newReceiver(), await newReceiver()];
    const shown = await admin.json<Row>(...create(test.alice, made.url));
    expect(shown).to.include({ url: made.url, client_id: test.alice.clientId, signed: true });
    const file = await admin.file(`${SECRET}\n`, 'secret.txt');
    const chosen = await admin.json<Row>(...create(test.alice, given.url, '--secret-file', file));
    expect(chosen).to.include({ signed: true, secret: null });
    const open = await admin.json<Row>(...create(test.alice, unsigned.url, '--unsigned'));
    expect(open).to.include({ signed: false, secret: null });
    await emitTestEvent(test, tenantId);
    const arrived = async (receiver: Receiver) =>
      (await receiver.next('EID_SUCCESS'))[0] ?? expect.fail('nothing came');
    verify(await arrived(made), String(shown['secret']));
    verify(await arrived(given), SECRET);
    expect((await arrived(unsigned)).headers).to.not.have.property('webhook-signature');
    expect(await audited(shown['webhook_id'])).to.deep.equal(['webhook.create']);
    const row = await test.service.runtime.db('webhooks').where('id', String(shown['webhook_id'])).first();
    expect(row?.sealed_secret).to.be.a('string').that.does.not.include(shown['secret']);
  });

  it('create refuses what the API refuses, and keys that are not in force', async () => {
    for (const url of ['letting.example', 'http://10.0.0.1/']) await admin.refused(1, create(test.alice, url));
    const empty = await admin.file('', 'empty.txt');
    expect(await admin.refused(1, create(test.alice, 'http://127.0.0.1/', '--secret-file', empty))).to.match(
      /no secret/,
    );
    await misunderstood(...create(test.alice, 'http://127.0.0.1/', '--unsigned', '--secret-file', empty));
    await revokeApiKey(test.service.runtime.db, test.charlie.clientId, new Date());
    expect(await admin.refused(1, create(test.charlie, 'http://127.0.0.1/'))).to.match(/was revoked/);
    expect(await test.service.runtime.db('webhooks').where({ url: 'http://127.0.0.1/' })).to.deep.equal([]);
  });

  it('delete asks for confirmation, then removes the webhook completely, even during an attempt, and leaves the others running', async () => {
    const { db } = test.service.runtime;
    const tenantId = await addApplicant(test, test.bob, 'deleted@mail.example');
    const [doomed, other] = [await addHook(test.bob, SECRET), await addHook(test.bob)];
    receivers.push(doomed.receiver, other.receiver);
    await admin.json('webhook', 'rotate-secret', doomed.id);
    const tries = [{ error: 'answered 500', status_code: 500 }];
    await addDelivery(test, tenantId, { webhook_id: doomed.id, status: 'failed', tries });
    let answer = () => {};
    doomed.receiver.answer = () => new Promise((resolve) => (answer = () => resolve(200)));
    await emitTestEvent(test, tenantId);
    await doomed.receiver.next('EID_SUCCESS');
    const underWay = await db('deliveries').where({ webhook_id: doomed.id, status: 'pending' }).first('id');
    const logged = listen(test);
    expect(await admin.refused(2, ['webhook', 'delete', doomed.id])).to.match(/is permanently deleted .* add --yes/);
    expect(await db('webhooks').where({ id: doomed.id })).to.have.length(1);
    const deleted = await admin.json<Row>('webhook', 'delete', doomed.id, '--yes');
    expect(deleted).to.include({ webhook_id: doomed.id, client_id: test.bob.clientId, deliveries: 2 });
    answer();
    await eventually('the outcome was checked', () => logged.info.some(([line]) => isAbout(line, underWay?.id)));
    expect([logged.warn, logged.error]).to.deep.equal([[], []]);
    await emitTestEvent(test, tenantId);
    await other.receiver.next('EID_SUCCESS', 2);
    await eventually(
      'the other webhook’s deliveries ended',
      async () => (await db('deliveries').where({ webhook_id: other.id, status: 'delivered' })).length === 2,
    );
    for (const table of ['deliveries', 'former_webhook_secrets'] as const)
      expect(await db(table).where({ webhook_id: doomed.id }), table).to.deep.equal([]);
    const kept = db('deliveries').select('id');
    expect(await db('delivery_attempts').whereNotIn('delivery_id', kept)).to.deep.equal([]);
    expect(doomed.receiver.received).to.have.length(1);
    expect(await audited(doomed.id)).to.deep.equal(['webhook.create', 'webhook.rotate-secret', 'webhook.delete']);
    expect(await admin.refused(1, ['webhook', 'delete', doomed.id, '--yes'])).to.match(/webhook list/);
  });

  it('delete and concurrent events do not block each other', async () => {
    const { db } = test.service.runtime;
    const tenantId = await addApplicant(test, test.bob, 'raced@mail.example');
    const { url } = await newReceiver();
    for (let round = 0; round < 20; round++) {
      const { id } = (await test.bob.ok('createWebhook', { body: { url } })).data;
      const told = Array.from({ length: 4 }, () => emitTestEvent(test, tenantId));
      const deleted = db.transaction((trx) => deleteWebhook(trx, id));
      await Promise.all([...told, deleted]);
      expect(await db('deliveries').where({ webhook_id: id })).to.deep.equal([]);
    }
  });
});
