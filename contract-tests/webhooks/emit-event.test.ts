import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type Received, Receiver, verify } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import type { Client } from '../../harness/service/client.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';

databases('both');

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

describe('webhook events', () => {
  const receivers: Receiver[] = [];
  const test = useServicePerTest();
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop();
  });

  /** A client's webhook, and the requests it receives. */
  const listen = async (client: Client, secret?: string) => {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    const body = secret === undefined ? { url: receiver.url } : { url: receiver.url, secret };
    const { id } = (await client.ok('createWebhook', { body })).data;
    return { receiver, webhook: () => test.service.runtime.db('webhooks').where({ id }).first() };
  };
  const apply = (client: Client, ...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    return client.ok('createApplication', { body: { title: 'Events', tenants } });
  };
  const startKyc = (client: Client, tenantId: string) => client.ok('initiateKyc', { params: { tenantId } });
  const delivered = () =>
    eventually('nothing is left to deliver', async () => {
      const { db } = test.service.runtime;
      return !(await db('deliveries').whereNot({ status: 'delivered' }).first());
    });
  const tenantsHeard = ({ received }: Receiver) => received.map(({ data }) => data?.['tenant_id']);

  describe('are sent', () => {
    it('to every webhook of the key for which they happened, and to no other key that has the tenant', async () => {
      const { id } = await test.tenant('shared+kyc-verified+eid-verified@mail.example');
      const heard = [await listen(test.alice), await listen(test.alice, 'signed')];
      const others = [await listen(test.bob), await listen(test.charlie)];
      await apply(test.alice, 'shared+kyc-verified+eid-verified@mail.example');
      await apply(
        test.charlie,
        'somebody+kyc-verified+eid-verified@mail.example',
        'Shared+kyc-verified+eid-verified@mail.example',
      );
      await apply(test.bob, 'other+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, id);
      for (const { receiver } of heard) await receiver.next('KYC_VERIFICATION_DATA');
      await delivered();
      for (const { receiver } of heard) expect(tenantsHeard(receiver)).to.deep.equal([id]);
      for (const { receiver } of others) expect(receiver.received).to.be.empty;
    });

    it('to hundreds of webhooks of one key', async () => {
      const { db } = test.service.runtime;
      const { id } = await test.tenant('many+kyc-verified+eid-verified@mail.example');
      const { webhook } = await listen(test.alice);
      const one = await webhook();
      const more = Array.from({ length: 600 }, () => ({ ...one, id: randomUUID() }));
      await db.batchInsert('webhooks', more, 100);
      await apply(test.alice, 'many+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, id);
      await eventually('each has its delivery', async () => {
        const [found] = await db('deliveries').countDistinct({ webhooks: 'webhook_id' });
        return Number(found?.['webhooks']) === 601;
      });
    });

    it('with as many statements to thirty webhooks as to nine', async () => {
      const { db } = test.service.runtime;
      const { id } = await test.tenant('few@mail.example');
      await apply(test.alice, 'few@mail.example');
      const one = await (await listen(test.alice)).webhook();
      const statementsTo = async (webhooks: number) => {
        const { length } = await db('webhooks');
        const more = Array.from({ length: webhooks - length }, () => ({ ...one, id: randomUUID() }));
        await db.batchInsert('webhooks', more, 10);
        let statements = 0;
        await inTransaction(db, async (trx) => {
          trx.on('query', () => statements++);
          await emitEvent(
            trx,
            test.service.runtime,
            await ofTheirKey(trx, id),
            { event: 'EID_SUCCESS', data: null },
            new Date(),
            {
              cause: { id: newId(), created_at: '' },
            },
          );
        });
        return statements;
      };
      // The first event of a process asks where bodies are stored.
      await statementsTo(9);
      expect(await statementsTo(9))
        .to.equal(await statementsTo(30))
        .and.above(2);
    });

    it('to each key that asked, once for each request', async () => {
      const email = 'twice+kyc-verified+eid-verified@mail.example';
      const { id } = await test.tenant(email);
      const [alices, bobs] = [await listen(test.alice), await listen(test.bob)];
      await apply(test.alice, email);
      await apply(test.bob, email);
      await startKyc(test.alice, id);
      await alices.receiver.next('KYC_VERIFICATION_DATA');
      await startKyc(test.bob, id);
      await bobs.receiver.next('KYC_VERIFICATION_DATA');
      await startKyc(test.alice, id);
      await alices.receiver.next('KYC_VERIFICATION_DATA', 2);
      await delivered();
      expect(tenantsHeard(alices.receiver)).to.deep.equal([id, id]);
      expect(tenantsHeard(bobs.receiver)).to.deep.equal([id]);
    });

    it('to no webhook of a revoked key, and to none created afterwards', async () => {
      const { id } = await test.tenant('revoked+kyc-verified+eid-verified@mail.example');
      const [alices, bobs] = [await listen(test.alice), await listen(test.bob)];
      await apply(test.alice, 'revoked+kyc-verified+eid-verified@mail.example');
      await apply(test.bob, 'revoked+kyc-verified+eid-verified@mail.example');
      await revokeApiKey(test.service.runtime.db, test.bob.clientId, new Date());
      await startKyc(test.alice, id);
      await alices.receiver.next('KYC_VERIFICATION_DATA');
      const late = await listen(test.alice);
      await delivered();
      await startKyc(test.alice, id);
      await late.receiver.next('KYC_VERIFICATION_DATA');
      await delivered();
      expect(bobs.receiver.received).to.be.empty;
      expect(alices.receiver.received).to.have.length(2);
      expect(late.receiver.received).to.have.length(1);
    });

    it('for KYC, eID and forensic analysis, each with exactly its own body', async () => {
      const { receiver } = await listen(test.alice);
      const { id: tenantId } = await test.tenant('all-three+kyc-verified+eid-verified@mail.example');
      await apply(test.alice, 'all-three+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, tenantId);
      await receiver.next('KYC_VERIFICATION_DATA');
      const body = { redirect_url: 'https://letting.example/' };
      await test.alice.ok('initiateEid', { params: { tenantId }, body });
      const [eid] = await receiver.next('EID_SUCCESS');
      await receiver.next('FORENSIC_ANALYSIS_DATA');
      expect(eid?.data).to.equal(null);
      for (const delivery of receiver.received) {
        expect(Object.keys(JSON.parse(delivery.body))).to.deep.equal(['event', 'data']);
        expect(delivery.headers['content-type']).to.equal('application/json');
        if (delivery.data) expect(delivery.data).to.include({ tenant_id: tenantId });
      }
      expect(receiver.faults).to.deep.equal([]);
    });
  });

  describe('are signed', () => {
    /** One delivery to a webhook with this secret. */
    const deliver = async (secret?: string): Promise<Received> => {
      const { receiver } = await listen(test.alice, secret);
      const { id } = await test.tenant('signed+kyc-verified+eid-verified@mail.example', {
        name: 'Ñandú 🏠 "</script>',
      });
      await apply(test.alice, 'signed+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, id);
      const [delivery] = await receiver.next('KYC_VERIFICATION_DATA');
      if (!delivery) throw new Error('nothing arrived');
      return delivery;
    };
    const signatures = ({ headers }: Received) => (headers['webhook-signature'] ?? '').split(' ');
    const hmac = ({ headers, body }: Received, key: Buffer) => {
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    };

    const secrets: [string, string, Buffer][] = [
      ['a prefixed secret', 'whsec_c2lnbnMgdGhlIGJ5dGVzIGl0IHNlbmRz', Buffer.from('signs the bytes it sends')],
      ['a base64 secret', 'c2lnbnMgdGhlIGJ5dGVzIGl0IHNlbmRz', Buffer.from('signs the bytes it sends')],
      [
        'a base64 secret read as text',
        'c2lnbnMgdGhlIGJ5dGVzIGl0IHNlbmRz',
        Buffer.from('c2lnbnMgdGhlIGJ5dGVzIGl0IHNlbmRz'),
      ],
      ['a plain secret', 'not-base64 at all!', Buffer.from('not-base64 at all!')],
      ['a secret beyond ASCII', 'contraseña 🏠', Buffer.from('contraseña 🏠')],
      ['a prefixed secret that is no base64', 'whsec_not base64', Buffer.from('whsec_not base64')],
    ];
    for (const [what, secret, key] of secrets)
      it(`over the exact bytes of the body, with ${what}, and the secret is never sent`, async () => {
        const delivery = await deliver(secret);
        expect(signatures(delivery)).to.include(hmac(delivery, key));
        expect(signatures({ ...delivery, body: `${delivery.body} ` })).to.not.include(
          hmac({ ...delivery, body: `${delivery.body} ` }, key),
        );
        expect(Math.abs(Number(delivery.headers['webhook-timestamp']) - Date.now() / 1000)).to.be.below(60);
        expect(JSON.stringify(delivery)).to.not.include(secret).and.not.include(secret.replace('whsec_', ''));
      });

    it('so that the public library accepts them, and refuses them when a byte was changed', async () => {
      const secret = 'whsec_c2lnbnMgdGhlIGJ5dGVzIGl0IHNlbmRz';
      const delivery = await deliver(secret);
      verify(delivery, secret);
      const changed = { ...delivery, body: delivery.body.replace('KYC', 'kyc') };
      expect(() => verify(changed, secret)).to.throw();
      expect(() => verify(delivery, 'whsec_YW5vdGhlciBzZWNyZXQ=')).to.throw();
    });

    it('with each webhook’s secret, over one body shared by all, and not without a secret', async () => {
      const [first, second] = ['whsec_dGhlIGZpcnN0IHNlY3JldA==', 'whsec_dGhlIHNlY29uZCBzZWNyZXQ='];
      const { receiver } = await listen(test.alice, first);
      const unsigned = await deliver();
      const [one] = await receiver.next('KYC_VERIFICATION_DATA');
      const again = await deliver(second);
      const [, two] = await receiver.next('KYC_VERIFICATION_DATA', 2);
      if (!one || !two) throw new Error('nothing arrived');
      verify(one, first);
      verify(again, second);
      expect(one.body).to.equal(unsigned.body);
      expect(two.body).to.equal(again.body);
      expect(two.headers['webhook-id']).to.not.equal(again.headers['webhook-id']);
      expect(Object.keys(unsigned.headers)).to.not.include.members(SIGNATURE_HEADERS);
      for (const name of SIGNATURE_HEADERS) expect(unsigned.headers).to.not.have.property(name);
    });
  });

  describe('are delivered', () => {
    const SECRET = 'whsec_dHJ5IGFnYWluLCB0cnkgYmV0dGVy';

    it('again after a failure, with the same id and body, a new time and a new signature', async () => {
      const { receiver, webhook } = await listen(test.alice, SECRET);
      const answers = [500];
      receiver.answer = () => answers.shift() ?? 204;
      const { id } = await test.tenant('retry+kyc-verified+eid-verified@mail.example');
      await apply(test.alice, 'retry+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, id);
      const [first] = await receiver.next('KYC_VERIFICATION_DATA');
      const triggered = await eventually(
        'the failed attempt was noted',
        async () => (await webhook())?.last_triggered_at ?? false,
      );
      const [, second] = await receiver.next('KYC_VERIFICATION_DATA', 2);
      if (!first || !second) throw new Error('nothing arrived');
      expect(second.body).to.equal(first.body);
      expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id']);
      expect(Number(second.headers['webhook-timestamp'])).to.be.above(Number(first.headers['webhook-timestamp']));
      for (const delivery of [first, second]) verify(delivery, SECRET);
      await delivered();
      expect((await webhook())?.last_triggered_at).to.satisfy((moment: string) => moment > triggered);
      expect(receiver.received).to.have.length(2);
    });

    it('to a healthy webhook whatever another one answers', async () => {
      const failing = await listen(test.alice);
      failing.receiver.answer = () => 302;
      const gone = await listen(test.alice);
      await gone.receiver.stop();
      const healthy = await listen(test.alice);
      const { id } = await test.tenant('healthy+kyc-verified+eid-verified@mail.example');
      await apply(test.alice, 'healthy+kyc-verified+eid-verified@mail.example');
      await startKyc(test.alice, id);
      await healthy.receiver.next('KYC_VERIFICATION_DATA');
      const { db } = test.service.runtime;
      const waiting = await eventually('both others were tried', async () => {
        const rows = await db('deliveries').where({ status: 'pending' }).where('attempts', '>=', 1);
        return rows.length === 2 && rows;
      });
      for (const { due_at } of waiting) expect(due_at).to.not.equal(null);
      failing.receiver.answer = () => 200;
      await failing.receiver.next('KYC_VERIFICATION_DATA', 2);
    });

    it('and last_triggered_at shows only this webhook’s last attempt', async () => {
      const [tried, untouched] = [await listen(test.alice), await listen(test.bob)];
      expect((await tried.webhook())?.last_triggered_at).to.equal(null);
      const { id } = await test.tenant('triggered+kyc-verified+eid-verified@mail.example');
      await apply(test.alice, 'triggered+kyc-verified+eid-verified@mail.example');
      const startedAt = new Date().toISOString();
      await startKyc(test.alice, id);
      const moment = await eventually(
        'the attempt was noted',
        async () => (await tried.webhook())?.last_triggered_at ?? false,
      );
      expect(moment >= startedAt && moment <= new Date().toISOString()).to.equal(true);
      expect((await untouched.webhook())?.last_triggered_at).to.equal(null);
    });
  });
});
