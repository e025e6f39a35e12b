import { expect } from 'chai';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { useService } from '../../harness/service/service.ts';
import { purgeOldEvents } from '../../jobs/privacy/retain.ts';
import { redeliver } from '../../jobs/webhooks/redeliver.ts';

databases('both');

const MINUTE_MS = 60_000;
const LATER_MS = 10 * MINUTE_MS;

describe('the lifecycle of an API key', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  type Given = Parameters<typeof createApiKey>[4];
  const newKey = async (given: Given = {}) => {
    const { db, now } = test.service.runtime;
    const { apiKey, clientSecret } = await createApiKey(db, test.landlords.ours, 'Another', now(), given);
    return { row: apiKey, client: new Client(test.service.url, apiKey.client_id, clientSecret) };
  };
  const rowOf = async (id: string) =>
    (await test.service.runtime.db('api_keys').where({ id }).first()) ?? expect.fail();

  describe('an expired key', () => {
    it('gets no token, and its tokens stop working at that millisecond with the message for a revoked key', async () => {
      const start = Date.now();
      test.setNow(new Date(start));
      const { client } = await newKey({ expiresAt: new Date(start + LATER_MS) });
      const wrong = new Client(test.service.url, client.clientId, 'wrong');
      test.setNow(new Date(start + LATER_MS - 1));
      await client.authenticate();
      await client.ok('listWorkspaces');
      test.setNow(new Date(start + LATER_MS));
      const { token } = client;
      expect(await client.refused('generateToken', 401)).to.deep.equal(await wrong.refused('generateToken', 401));
      wrong.token = 'nonsense';
      expect(await client.refused('listWorkspaces', 401)).to.deep.equal(await wrong.refused('listWorkspaces', 401));
      expect(client.token).to.equal(token);
    });

    it('gives its webhooks no new events, and ends pending deliveries at their next attempt unless the key is reinstated', async () => {
      const start = Date.now();
      test.setNow(new Date(start));
      const { db } = test.service.runtime;
      const { row, client } = await newKey({ expiresAt: new Date(start + LATER_MS) });
      await client.authenticate();
      const [hand, receiver] = [new DeliveriesByHand(test), await Receiver.start()];
      try {
        await client.ok('createWebhook', { body: { url: receiver.url } });
        const [waiting] = await hand.emit(client, new Date(start));
        if (!waiting) throw new Error('There is no delivery.');
        const last = new Date(start + LATER_MS - 1);
        expect(await hand.emit(client, last), 'the last millisecond').to.have.length(1);
        expect(await hand.emit(client, new Date(start + LATER_MS)), 'the time has come').to.deep.equal([]);
        test.setNow(new Date(start + LATER_MS));
        expect(await hand.attempt(waiting.id)).to.include({ status: 'failed', last_error: 'the API key has expired' });
        const delivery = await hand.delivery(waiting.id);
        expect(await redeliver(test.service.runtime, delivery)).to.equal('key expired');
        expect(receiver.received).to.be.empty;
        await db('api_keys').where({ id: row.id }).update({ expires_at: null });
        expect(await redeliver(test.service.runtime, delivery)).to.equal('sent');
        expect(await hand.attempt(waiting.id)).to.include({ status: 'delivered' });
      } finally {
        await receiver.stop();
      }
    });
  });

  describe('client secrets', () => {
    it('show their mode as a prefix, and a secret for the other mode is refused like any wrong secret', async () => {
      const [sandbox, live] = [await newKey(), await newKey({ mode: 'live' })];
      expect(sandbox.client.clientSecret).to.match(/^sandbox_[\w-]{43}$/);
      expect(live.client.clientSecret).to.match(/^live_[\w-]{43}$/);
      const ask = (secret: string) => new Client(test.service.url, sandbox.client.clientId, secret);
      const refusal = await ask('nonsense').refused('generateToken', 401);
      for (const secret of [
        sandbox.client.clientSecret.replace('sandbox_', 'live_'),
        sandbox.client.clientSecret.replace('sandbox_', ''),
        live.client.clientSecret,
      ])
        expect(await ask(secret).refused('generateToken', 401)).to.deep.equal(refusal);
    });

    it('are deleted once replaced and no longer accepted', async () => {
      const { db } = test.service.runtime;
      test.setNow(new Date());
      const { row } = await newKey();
      const now = Date.now();
      const former = { api_key_id: row.id, client_secret_hash: hashSecret('former') };
      await db('former_client_secrets').insert([
        { ...former, id: 'over', expires_at: new Date(now - MINUTE_MS).toISOString() },
        { ...former, id: 'still', expires_at: new Date(now + MINUTE_MS).toISOString() },
      ]);
      await purgeOldEvents(test.service.runtime);
      expect(await db('former_client_secrets').where({ api_key_id: row.id }).pluck('id')).to.deep.equal(['still']);
    });

    it('keep working without a prefix when they are older', async () => {
      const { row, client } = await newKey();
      const older = new Client(test.service.url, client.clientId, 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA');
      await test.service.runtime
        .db('api_keys')
        .where({ id: row.id })
        .update({ client_secret_hash: hashSecret(older.clientSecret) });
      await older.authenticate();
    });
  });

  describe('the last use of a key', () => {
    const updates: string[] = [];
    before(() => {
      test.service.runtime.db.on('query', ({ sql }: { sql: string }) => {
        if (/^update .?api_keys/.test(sql)) updates.push(sql);
      });
    });
    const at = (moment: string) => test.setNow(new Date(moment));
    const noted = (id: string, moment: string) =>
      until(`the use of ${moment} was noted`, async () => (await rowOf(id)).last_used_at === moment);

    it('is recorded to the minute, once, however often and wherever the key is used', async () => {
      at('2027-03-01T10:00:12.345Z');
      const { row, client } = await newKey();
      expect(row.last_used_at).to.equal(null);
      updates.length = 0;
      await Promise.all(Array.from({ length: 5 }, () => client.authenticate()));
      await noted(row.id, '2027-03-01T10:00:00.000Z');
      at('2027-03-01T10:00:59.999Z');
      await Promise.all(Array.from({ length: 5 }, () => client.ok('listWorkspaces')));
      expect(updates).to.have.length(1);
      at('2027-03-01T10:01:00.000Z');
      for (let time = 0; time < 5; time++) await client.ok('listWorkspaces');
      await noted(row.id, '2027-03-01T10:01:00.000Z');
      expect(updates).to.have.length(2);
    });

    it('is not recorded for refused requests or at another key, and never moves back', async () => {
      at('2027-03-02T10:00:00.000Z');
      const [{ row, client }, other] = [await newKey(), await newKey()];
      await client.authenticate();
      await noted(row.id, '2027-03-02T10:00:00.000Z');
      await new Client(test.service.url, other.client.clientId, client.clientSecret).refused('generateToken', 401);
      const later = '2027-03-02T10:30:00.000Z';
      await test.service.runtime.db('api_keys').where({ id: row.id }).update({ last_used_at: later });
      updates.length = 0;
      at('2027-03-02T10:05:00.000Z');
      await client.ok('listWorkspaces');
      await until('it was tried', () => updates.length === 1);
      await client.ok('listWorkspaces');
      expect((await rowOf(row.id)).last_used_at).to.equal(later);
      expect((await rowOf(other.row.id)).last_used_at).to.equal(null);
    });

    it('does not fail the request when it cannot be recorded', async () => {
      at('2027-03-03T10:00:00.000Z');
      const { db } = test.service.runtime;
      const { row, client } = await newKey();
      await db.schema.alterTable('api_keys', (table) => table.renameColumn('last_used_at', 'away'));
      try {
        await client.authenticate();
        for (let time = 0; time < 3; time++) await client.ok('listWorkspaces');
      } finally {
        await db.schema.alterTable('api_keys', (table) => table.renameColumn('away', 'last_used_at'));
      }
      at('2027-03-03T10:01:00.000Z');
      await client.ok('listWorkspaces');
      await noted(row.id, '2027-03-03T10:01:00.000Z');
    });
  });
});
