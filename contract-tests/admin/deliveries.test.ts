import { expect } from 'chai';
import { namedDelivery } from '../../bin/admin/webhook/explain.ts';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { type DeliveryState, listDeliveries } from '../../db/webhooks/delivery-lists.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin, columnsOf, misunderstood } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { addApplicant, addDelivery, addHook, type Hook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { adviseOn } from '../../jobs/webhooks/delivery-advice.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';

databases('either');

const EMAIL = 'deliveries@mail.example';
const FUTURE = '2099-01-01T00:00:00.000Z';
const REFUSED = { status_code: 500, error: 'answered 500', response_excerpt: 'boom \u001b[31mred\nsecond line' };

/** Workers forget deliveries in the first moments of a service: some here are years old. */
const KEPT = { WEBHOOK_PAYLOAD_DAYS: '3650', WEBHOOK_RECORD_DAYS: '3650' };

type Row = Record<string, unknown>;

describe('the command line’s deliveries', () => {
  let tenantId: string;
  let hook: Hook;
  let other: Hook;
  const hooks: Hook[] = [];
  const test = useService(KEPT);
  const admin = new Admin(test);
  before(async () => {
    tenantId = await addApplicant(test, test.alice, EMAIL);
  });
  beforeEach(async () => {
    [hook, other] = [await hookOf(test.alice), await hookOf(test.alice)];
  });
  afterEach(async () => {
    for (const table of ['delivery_attempts', 'deliveries', 'events'] as const) await db()(table).delete();
    for (const { receiver } of hooks.splice(0)) await receiver.stop();
  });

  const hookOf = async (client: Client) => {
    const added = await addHook(client);
    hooks.push(added);
    return added;
  };
  const db = () => test.service.runtime.db;
  const add = (columns: Partial<Parameters<typeof addDelivery>[2]> = {}) =>
    addDelivery(test, tenantId, { webhook_id: hook.id, ...columns });
  const row = (id: string) => db()('deliveries').where({ id }).first();
  const explain = (id: string) => admin.json<Row>('delivery', 'explain', id);
  const redeliver = (...args: string[]) => admin.json<Row>('delivery', 'redeliver', ...args);
  const arrives = (id: string) =>
    eventually('it is delivered', async () => {
      const found = await row(id);
      return found?.status === 'delivered' && found;
    });

  describe('list', () => {
    it('shows event, address, state, attempts, last error and times', async () => {
      const failed = { status: 'failed' as const, last_status_code: 500, last_error: 'answered 500' };
      const id = await add({ ...failed, tries: [REFUSED] });
      const [shown] = await admin.json<Row[]>('delivery', 'list');
      expect(shown).to.include({ delivery_id: id, event: 'EID_SUCCESS', tenant_id: tenantId, webhook_id: hook.id });
      expect(shown).to.include({ url: hook.receiver.url, attempts: 1, next_attempt_at: null, ...failed });
      for (const moment of ['created_at', 'finished_at'])
        expect(shown?.[moment]).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const human = await admin.text('delivery', 'list');
      expect(columnsOf(human)).to.include.members(['delivery id', 'event', 'host', 'outcome']);
      expect(human).to.include('failed: answered 500').and.include(id).and.include(new URL(hook.receiver.url).host);
    });

    it('shows the whole event and host, and most of the error, in 120 columns', async () => {
      await db()('webhooks').where({ id: hook.id }).update({ url: 'http://127.0.0.1:4100/a/long/path/to/the/hook' });
      await db()('webhooks')
        .where({ id: other.id })
        .update({ url: 'https://screening.lettings-of-the-city.example/hook' });
      await add({ webhook_id: other.id, status: 'failed', last_error: 'answered 503' });
      const created_at = '2020-01-31T12:00:00.000Z';
      await add({ status: 'failed', event: 'FORENSIC_ANALYSIS_DATA', last_error: 'answered 500', created_at });
      await add({ status: 'pending', due_at: FUTURE, last_error: 'connection refused' });
      const { stdout } = await admin.run(['delivery', 'list'], { COLUMNS: '120' });
      for (const line of stdout.trimEnd().split('\n')) expect(line).to.have.length.at.most(120);
      expect(stdout).to.match(/ FORENSIC_ANALYSIS_DATA .*127\.0\.0\.1:4100 .*failed: answered 500 /);
      expect(stdout).to.match(/ screening\.let… .*failed: answered 503 /);
      expect(stdout).to.match(/ EID_SUCCESS .*127\.0\.0\.1:4100 .*pending: connection … /);
    });

    it('filters by state, webhook, tenant, event, time and limit, newest first', async () => {
      const at = (day: number) => `2027-01-0${day}T12:00:00.000Z`;
      const event = 'KYC_VERIFICATION_DATA';
      const held = await add({ status: 'pending', created_at: at(1) });
      const pending = await add({ status: 'pending', due_at: FUTURE, created_at: at(2) });
      const failed = await add({ status: 'failed', created_at: at(3), event });
      const delivered = await add({ webhook_id: other.id, created_at: at(4) });
      const stranger = (await test.tenant('stranger@mail.example')).id;
      const strangers = await addDelivery(test, stranger, { webhook_id: hook.id, created_at: at(5), event });
      const states = { held: [held], pending: [pending], failed: [failed], delivered: [strangers, delivered] };
      for (const [state, ids] of Object.entries(states) as [DeliveryState, string[]][])
        expect(
          (await listDeliveries(db(), ALL_LANDLORDS, { state }, 9)).map(({ id }) => id),
          state,
        ).to.deep.equal(ids);
      const choices: [args: string[], ids: string[]][] = [
        [[], [strangers, delivered, failed, pending, held]],
        [['--status', 'held'], [held]],
        [['--tenant', EMAIL.toUpperCase(), '--event', event], [failed]],
        [['--tenant', stranger], [strangers]],
        [
          ['--webhook', hook.id, '--since', '2027-01-02', '--until', at(5)],
          [failed, pending],
        ],
      ];
      for (const [args, ids] of choices) {
        const rows = await admin.json<Row[]>('delivery', 'list', ...args);
        expect(
          rows.map(({ delivery_id }) => delivery_id),
          args.join(' '),
        ).to.deep.equal(ids);
      }
      const newest = await admin.text('delivery', 'list', '--limit', '2');
      expect(newest).to.match(
        new RegExp(`\n${strangers} .*\n${delivered} .*\n\nThese are the newest 2; --limit shows more\\.\n$`),
      );
    });

    it('says when there are none, and names filters that do not exist', async () => {
      expect(await admin.text('delivery', 'list')).to.match(/no such deliveries/);
      await misunderstood('delivery', 'list', '--status', 'lost');
      await misunderstood('delivery', 'list', '--since', 'soon');
      await admin.refused(1, ['delivery', 'list', '--webhook', 'none']);
      await admin.refused(1, ['delivery', 'list', '--tenant', 'none']);
    });
  });

  describe('explain', () => {
    it('shows each attempt, its webhook and key, and strips control characters from responses', async () => {
      const id = await add({ status: 'failed', last_error: 'answered 500', tries: [{ error: 'no answer' }, REFUSED] });
      const told = await explain(id);
      expect(told).to.include({
        delivery_id: id,
        status: 'failed',
        event: 'EID_SUCCESS',
        tenant_id: tenantId,
        attempts: 2,
      });
      expect(told).to.include({
        webhook_id: hook.id,
        url: hook.receiver.url,
        webhook_status: 'active',
        api_key_name: 'Alice',
      });
      const history = told['history'];
      expect(history).to.be.an('array').with.length(2);
      if (!Array.isArray(history)) throw new Error('no history');
      expect(history[0]).to.include({ number: 1, error: 'no answer', status_code: null, response_excerpt: null });
      expect(history[1]).to.include({ number: 2, duration_ms: 12, ...REFUSED });
      expect(told['next_command']).to.match(new RegExp(`delivery redeliver ${id}$`));
      const human = await admin.text('delivery', 'explain', id);
      expect(human).to.match(/^It failed: answered 500\. No attempt is left\.\n/);
      expect(human).to.include('boom  [31mred second line').and.not.include('\u001b');
      expect(await admin.refused(1, ['delivery', 'explain', 'msg_none'])).to.match(/no delivery has the id "msg_none"/);
    });

    it('says in every state what happens next and why', async () => {
      const due = new Date(Date.now() + 300_000).toISOString();
      const retried = { status: 'pending' as const, attempts: 2, tries: [REFUSED, REFUSED] };
      const { retryDelaysMs } = test.service.runtime.webhooks;
      const words = async (columns: Parameters<typeof add>[0]) =>
        adviseOn(await namedDelivery(db(), await add(columns)), retryDelaysMs, new Date()).explanation;
      const atOnce = await add({ attempts: 1 });
      expect(await explain(atOnce)).to.include({ explanation: 'It was delivered at attempt 1.' });
      expect(await words({ ...retried, due_at: due })).to.match(
        /Attempt 2 of 8 failed; the next follows after about 5 min/,
      );
      expect(await words({ ...retried, due_at: FUTURE })).to.match(
        /later because the endpoint asked for it \(Retry-After\)/,
      );
      expect(await words({ ...retried, due_at: due, schedule_from: 1 })).to.match(/Attempt 1 of 8.*restarted/);
      expect(await words({ status: 'failed', body: null, last_error: 'answered 500' })).to.match(/no longer kept/);
      const overdue = await add({ webhook_id: other.id, due_at: FUTURE, status: 'pending' });
      await pause(test.service.runtime, other.id, 'they \u001b[31mmove');
      const held = await explain(overdue);
      expect(held['explanation']).to.include('held: its webhook was paused (they \u001b[31mmove)');
      expect(await admin.text('delivery', 'explain', overdue)).to.match(/^It is held: .* \(they {2}\[31mmove\)/);
      expect(held['next_command']).to.match(new RegExp(`webhook resume ${other.id}$`));
      const bobs = await hookOf(test.bob);
      await revokeApiKey(db(), test.bob.clientId, new Date());
      const ended = { status: 'failed' as const, last_error: 'the API key was revoked', webhook_id: bobs.id };
      expect(await explain(await add(ended))).to.include({ next_command: null });
    });
  });

  describe('redeliver', () => {
    it('sends a failed, waiting or delivered one again immediately, with its id and the whole schedule', async () => {
      for (const columns of [
        { status: 'failed' as const, tries: [REFUSED] },
        { status: 'pending' as const, due_at: FUTURE, tries: [REFUSED] },
        { status: 'delivered' as const, tries: [{ status_code: 200 }] },
      ]) {
        const id = await add(columns);
        expect(await redeliver(id)).to.include({ delivery_id: id, was: columns.status });
        expect(await eventually('another attempt', async () => (await row(id))?.attempts === 2)).to.equal(true);
        expect(await arrives(id)).to.include({ schedule_from: 1 });
      }
      expect(hook.receiver.received).to.have.length(3);
      const delivered = await add();
      expect(await admin.text('delivery', 'redeliver', delivered)).to.match(/same webhook-id.*duplicate/);
      await arrives(delivered);
    });

    it('leaves a delivery alone while a process is sending it', async () => {
      const lease = new Date(Date.now() + 600_000).toISOString();
      const id = await add({ status: 'pending', due_at: lease, leased_by: 'a process', attempts: 1 });
      expect(await admin.refused(1, ['delivery', 'redeliver', id])).to.match(/being tried just now/);
      expect(await row(id)).to.include({ due_at: lease, schedule_from: 0 });
    });

    it('sends everything that failed at a webhook since a given time, and can count it first', async () => {
      const [before, since] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
      const failed = { status: 'failed' as const, finished_at: since };
      const ids = [await add(failed), await add({ ...failed, finished_at: FUTURE })];
      const untouched = [
        await add({ ...failed, finished_at: before }),
        await add({ ...failed, body: null }),
        await add({ ...failed, webhook_id: other.id }),
        await add({ finished_at: since }),
      ];
      const all = ['--webhook', hook.id, '--failed-since', since];
      expect(await redeliver(...all, '--dry-run')).to.include({ deliveries: 2, dry_run: true });
      expect(await row(ids[0] ?? '')).to.include({ status: 'failed' });
      expect(await redeliver(...all)).to.include({ deliveries: 2, dry_run: false });
      for (const id of ids) await arrives(id);
      expect(await redeliver(...all)).to.include({ deliveries: 0 });
      for (const id of untouched) expect((await row(id))?.attempts).to.equal(0);
      expect(hook.receiver.received).to.have.length(2);
      for (const args of [[], ['msg_x', ...all], ['--webhook', hook.id], ['msg_x', '--dry-run']])
        await admin.refused(2, ['delivery', 'redeliver', ...args]);
    });

    it('refuses when the body has expired, the webhook is paused, or the API key is revoked', async () => {
      const { id: webhook_id } = await hookOf(test.charlie);
      const failed = { status: 'failed' as const, webhook_id };
      const [id, forgotten] = [await add(failed), await add({ ...failed, body: null })];
      const refused = (...args: string[]) => admin.refused(1, ['delivery', 'redeliver', ...args]);
      const all = ['--webhook', webhook_id, '--failed-since', '2027-01-01'];
      expect(await refused(forgotten)).to.match(/no longer kept/);
      await pause(test.service.runtime, webhook_id, 'to try');
      for (const args of [[id], all])
        expect(await refused(...args)).to.match(/is paused; resume it first: npm run .*resume/);
      await resume(test.service.runtime, webhook_id);
      await revokeApiKey(db(), test.charlie.clientId, new Date());
      for (const args of [[id], all]) expect(await refused(...args)).to.match(/was revoked/);
      expect(await row(id)).to.include({ status: 'failed', due_at: null });
      await refused('msg_none');
    });

    it('never sends events of another or an unknown API key', async () => {
      const [id, all] = await failedOnce();
      expect(await redeliver(...all, '--dry-run')).to.include({ deliveries: 1 });
      for (const api_key_id of [await keyOf(test.bob), null]) {
        await db()('events').update({ api_key_id });
        expect(await admin.refused(1, ['delivery', 'redeliver', id])).to.match(/happened for another/);
        expect(await redeliver(...all)).to.include({ deliveries: 0 });
      }
      expect(await row(id)).to.include({ status: 'failed', due_at: null });
    });

    const failedOnce = async (): Promise<[id: string, all: string[]]> => {
      const { id: webhook_id } = await hookOf(test.alice);
      const id = await add({ status: 'failed', webhook_id });
      return [id, ['--webhook', webhook_id, '--failed-since', '2026-01-01']];
    };
    const keyOf = async ({ clientId }: { clientId: string }) =>
      (await db()('api_keys').where({ client_id: clientId }).first('id'))?.id ?? expect.fail('no key');
  });
});
