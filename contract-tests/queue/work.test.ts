import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { kinds } from '../../bin/service/kinds.ts';
import { Overloaded } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { endFlow } from '../../db/identity/flows.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import type { Client } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { workOn } from '../../harness/service/work.ts';
import { completeEid } from '../../jobs/identity/complete-eid.ts';
import { agreeToEid, handleEidCallback, startEid, startEidAuthorization } from '../../jobs/identity/eid-flows.ts';
import { pollNow, schedulePoll } from '../../jobs/identity/identity-flows.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { type Ending, fairSlots } from '../../queue/lane-policy.ts';
import { ClaimingWorker, type Postponed } from '../../queue/worker.ts';

databases('both');

const MINUTE_MS = 60_000;
const POSTPONED = 40;

describe('background work', () => {
  let test: TestService;
  const begin = async (env: Record<string, string> = {}) => {
    test = await startTestService(env);
  };
  afterEach(() => test.stop());

  /** Claims an invite as its worker does on delivery, and waits until `work` has ended. */
  async function claim(id: string, work: () => Promise<void>): Promise<void> {
    const worker = new ClaimingWorker<JobName>(test.service.runtime, {
      name: 'send-invite',
      kind: kinds['send-invite'],
      turns: { lanes: fairSlots(1) },
      begin: () => async () => {
        await work();
        return 'success';
      },
    });
    await worker.take([id], () => {});
    await worker.drain();
  }

  /** An invite that is not in the queue, due at the given offset from now. */
  async function invite(dueInMs: number): Promise<string> {
    const { db } = test.service.runtime;
    const email = `${newId()}@mail.example`;
    await test.alice.ok('createApplication', { body: { title: 'Work', tenants: [{ email, is_lead: true }] } });
    const participant = await db('participants').where({ email }).first('id');
    const id = newId();
    await db('invites').insert({
      id,
      participant_id: participant?.id ?? '',
      status: 'pending',
      due_at: new Date(Date.now() + dueInMs).toISOString(),
      created_at: new Date().toISOString(),
    });
    return id;
  }
  const row = (id: string) => test.service.runtime.db('invites').where({ id }).first();
  async function startKyc(client: Client, email: string): Promise<void> {
    const { id } = await test.tenant(email);
    await client.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    await client.ok('initiateKyc', { params: { tenantId: id } });
  }

  it('that is due but missing from the queue is found and done', async () => {
    await begin();
    const id = await invite(-MINUTE_MS);
    await eventually('the lost invite was sent', async () => (await row(id))?.status === 'sent');
  });

  const { retry: _retry, ...withoutRetry } = kinds['send-invite'];
  const ends: [string, typeof withoutRetry, () => Promise<Ending | Postponed>][] = [
    ['fails', kinds['send-invite'], () => Promise.reject(new Error('on purpose'))],
    ['fails and has no retry policy', withoutRetry, () => Promise.reject(new Error('on purpose'))],
    ['tries nothing', kinds['send-invite'], async () => 'nothing'],
    ['is postponed', kinds['send-invite'], async () => ({ delayMs: MINUTE_MS })],
  ];
  for (const [how, kind, end] of ends)
    it(`that ${how} did not kill its worker: it is due later, and its former leases that expired no longer count`, async () => {
      await begin({ RUN_WORKERS: 'false' });
      const { runtime } = test.service;
      const id = await invite(-MINUTE_MS);
      await runtime.db('invites').where({ id }).update({ expiries: 4 });
      const turns = { lanes: fairSlots(1) };
      const worker = new ClaimingWorker<JobName>(runtime, { name: 'send-invite', kind, turns, begin: () => end });
      await worker.take([id], () => {});
      await worker.drain();
      const left = await row(id);
      expect(left).to.include({ status: 'pending', leased_by: null, expiries: 0 });
      expect(Date.parse(left?.due_at ?? '')).to.be.within(Date.now(), Date.now() + 2 * MINUTE_MS);
    });

  it('whose end could not be recorded stays leased, and what expired before still counts: it may have had effects', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const { runtime } = test.service;
    const id = await invite(-MINUTE_MS);
    await runtime.db('invites').where({ id }).update({ expiries: 3 });
    await claim(id, async () => {});
    expect(await row(id)).to.include({ status: 'pending', expiries: 4 });
    expect((await row(id))?.leased_by).to.be.a('string');
  });

  it('is done once however often it is brought concurrently', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const id = await invite(-MINUTE_MS);
    const { runtime } = test.service;
    let sent = 0;
    const mail = { ...runtime.providers.mail, send: async () => void sent++ };
    const changed = { ...runtime, providers: { ...runtime.providers, mail } };
    await Promise.all(Array.from({ length: 10 }, () => workOn(changed, 'send-invite', id)));
    expect(sent).to.equal(1);
  });

  it('is claimed although the worker’s clock is slightly behind the sender’s', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const id = await invite(500);
    let done = 0;
    await claim(id, async () => void done++);
    expect(done).to.equal(1);
  });

  it('is left alone by a worker that lost it, even if that worker fails', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const id = await invite(-MINUTE_MS);
    const others = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
    await claim(id, async () => {
      await test.service.runtime.db('invites').where({ id }).update({ due_at: others, leased_by: 'another process' });
      throw new Error('too late');
    });
    expect(await row(id)).to.include({ due_at: others, failures: 0, status: 'pending' });
  });

  it('that waits for its turn when its process stops is due for another, without a counted failure', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const [first, waiting] = [await invite(-MINUTE_MS), await invite(-MINUTE_MS)];
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const worker = new ClaimingWorker<JobName>(test.service.runtime, {
      name: 'send-invite',
      kind: kinds['send-invite'],
      turns: { lanes: fairSlots(1) },
      begin: () => async () => {
        started.resolve();
        await finish.promise;
        return 'success';
      },
    });
    await worker.take([first, waiting], () => {});
    await started.promise;
    const drained = worker.drain();
    finish.resolve();
    await drained;
    const [left, ...others] = (await Promise.all([first, waiting].map(row))).filter((one) => one?.leased_by === null);
    expect(others).to.deep.equal([]);
    expect(left).to.include({ status: 'pending', failures: 0, failure: null });
    expect(new Date(left?.due_at ?? Number.NaN)).to.be.at.most(new Date());
  });

  for (const [how, turns] of Object.entries({
    'in lanes': { lanes: fairSlots(1) },
    'from keys in turn': { claimed: { atOnce: 1, ofOneKey: 1 } },
  }))
    it(`that is being claimed ${how} when its process stops is due for another, and never begins`, async () => {
      await begin({ RUN_WORKERS: 'false' });
      const { runtime } = test.service;
      const id = await invite(-MINUTE_MS);
      await runtime.db('invites').whereNot({ id }).delete();
      await runtime.db('invites').where({ id }).update({ expiries: 3 });
      let begun = 0;
      let drained: Promise<void> | undefined;
      // The claim asks for the time just before its first statement.
      const now = () => {
        queueMicrotask(() => {
          drained ??= worker.drain();
        });
        return runtime.now();
      };
      const work = async (): Promise<Ending> => {
        begun++;
        return 'success';
      };
      const worker = new ClaimingWorker<JobName>(
        { ...runtime, now },
        { name: 'send-invite', kind: kinds['send-invite'], turns, begin: () => work },
      );
      const taken = worker.take([id], () => {});
      await until('it stops', () => drained !== undefined);
      await drained;
      const left = await row(id);
      await taken;
      expect(begun).to.equal(0);
      expect(left).to.include({ leased_by: null, failures: 0 });
      expect(left?.expiries, 'it did not outlive its work').to.equal(3);
      expect(new Date(left?.due_at ?? Number.NaN)).to.be.at.most(new Date());
    });

  it('that postpones itself is due later without a counted failure, and many rows are written with one statement', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const { runtime } = test.service;
    const ids = await Promise.all(Array.from({ length: POSTPONED }, () => invite(-MINUTE_MS)));
    const worker = new ClaimingWorker<JobName>(runtime, {
      name: 'send-invite',
      kind: kinds['send-invite'],
      turns: { lanes: fairSlots(POSTPONED + 1) },
      begin: () => async () => ({ delayMs: MINUTE_MS }),
    });
    let statements = 0;
    runtime.db.on('query', ({ sql }: { sql: string }) => {
      if (/^update .invites. set .due_at. = case id/.test(sql)) statements++;
    });
    const startedAt = Date.now();
    await worker.take(ids, () => {});
    await worker.drain();
    for (const left of await Promise.all(ids.map(row))) {
      expect(left).to.include({ status: 'pending', leased_by: null, failures: 0, failure: null });
      expect(Date.parse(left?.due_at ?? '')).to.be.at.least(startedAt + MINUTE_MS);
    }
    expect(statements).to.be.within(1, POSTPONED / 4);
  });

  it('whose turn at a resource is refused is due again soon without a counted failure', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const id = await invite(-MINUTE_MS);
    const { runtime } = test.service;
    const refuse = async () => {
      throw new Overloaded();
    };
    const mail = { ...runtime.providers.mail, send: refuse };
    await workOn({ ...runtime, providers: { ...runtime.providers, mail } }, 'send-invite', id);
    const refused = await row(id);
    expect(refused).to.include({ status: 'pending', failures: 0, failure: null, leased_by: null });
    expect(new Date(refused?.due_at ?? Number.NaN)).to.be.at.most(new Date(Date.now() + MINUTE_MS));
    await runtime.db('invites').where({ id }).update({ due_at: new Date().toISOString() });
    await workOn(runtime, 'send-invite', id);
    expect(await row(id)).to.include({ status: 'sent' });
  });

  it('emits events: claimed, started, failed, done, and lost to another process', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const { db, work } = test.service.runtime;
    const told: string[] = [];
    for (const event of ['claimed', 'started', 'completed', 'failed', 'lease lost'] as const)
      work.on(event, (name: string, id: string) => told.push(`${event} ${name} ${id}`));
    const [id, lost] = [await invite(-MINUTE_MS), await invite(-MINUTE_MS)];
    await claim(id, () => Promise.reject(new Error('on purpose')));
    await db('invites')
      .where({ id })
      .update({ due_at: new Date(0).toISOString() });
    await claim(id, async () => {});
    await claim(lost, async () => {
      await db('invites').where({ id: lost }).update({ leased_by: 'another process' });
      await eventually('the loss was noticed', () => told.some((line) => line.startsWith('lease lost')));
    });
    expect(told).to.deep.equal([
      ...['claimed', 'started', 'failed', 'claimed', 'started', 'completed'].map(
        (event) => `${event} send-invite ${id}`,
      ),
      ...['claimed', 'started', 'lease lost', 'completed'].map((event) => `${event} send-invite ${lost}`),
    ]);
  });

  it('stays with its worker as long as it takes', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const id = await invite(-MINUTE_MS);
    await claim(id, async () => {
      const first = (await row(id))?.due_at ?? '';
      await until('the lease was moved on', async () => ((await row(id))?.due_at ?? '') > first);
    });
    expect((await row(id))?.failures).to.equal(0);
  });

  it('for a webhook ends when its API key is revoked', async () => {
    await begin({ WEBHOOK_RETRIES: '1d' });
    const receiver = await Receiver.start();
    receiver.answer = () => 500;
    const { db } = test.service.runtime;
    await test.alice.ok('createWebhook', { body: { url: receiver.url } });
    await startKyc(test.alice, 'revoked+kyc-verified@mail.example');
    await receiver.next('KYC_VERIFICATION_DATA');
    await eventually('the failure was recorded', async () => db('deliveries').where({ attempts: 1 }).first());
    await revokeApiKey(db, test.alice.clientId, new Date());
    await db('deliveries').update({ due_at: new Date(Date.now() - MINUTE_MS).toISOString(), leased_by: null });
    const ended = await eventually('the delivery ended', async () => db('deliveries').whereNull('due_at').first());
    await receiver.stop();
    expect(ended).to.include({ status: 'failed', attempts: 1, last_error: 'the API key was revoked' });
    expect(receiver.received).to.have.length(1);
  });

  it('for an endpoint that never answers does not delay the others', async () => {
    await begin();
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    for (let index = 0; index < 60; index++)
      await test.alice.ok('createWebhook', { body: { url: `http://127.0.0.1:${port}/${index}` } });
    const healthy = await Receiver.start();
    await test.charlie.ok('createWebhook', { body: { url: healthy.url } });
    try {
      await startKyc(test.alice, 'slow+kyc-verified@mail.example');
      const { db } = test.service.runtime;
      await eventually('all sixty wait', async () => (await db('deliveries').select('id')).length === 60);
      await startKyc(test.charlie, 'quick+kyc-verified@mail.example');
      await healthy.next('KYC_VERIFICATION_DATA');
      const spent = await db('deliveries').where('attempts', '>', 0).whereNot({ status: 'delivered' }).select('id');
      expect(spent, 'no attempt is spent on what was not sent').to.have.length.at.most(4);
    } finally {
      await healthy.stop();
      hanging.closeAllConnections();
      hanging.close();
    }
  });

  it('about which a message arrived meanwhile is not postponed', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const { runtime } = test.service;
    await startKyc(test.alice, 'reported@mail.example');
    const flow = await runtime.db('kyc_verifications').first();
    const now = new Date();
    await runtime.db.transaction((trx) => pollNow(trx, 'kyc', runtime, flow?.id ?? '', now));
    // The worker that polled before the message now schedules its next poll.
    await runtime.db.transaction((trx) =>
      schedulePoll(trx, 'kyc', { id: flow?.id ?? '', expires_at: flow?.expires_at ?? '' }, 5 * MINUTE_MS, now),
    );
    expect(await runtime.db('kyc_verifications').first()).to.include({ due_at: now.toISOString() });
  });

  it('on a national eID downloads documents and sends the event once, however often it runs concurrently', async () => {
    await begin({ RUN_WORKERS: 'false', SANDBOX_DELAY_MS: '0' });
    const { runtime } = test.service;
    const tenant = await test.tenant('twice+eid-verified@mail.example', { of: test.alice });
    const { api_key_id } = await ofTheirKey(runtime.db, tenant.id);
    await startEid(runtime, tenant, api_key_id, 'https://letting.example/back', new Date());
    const { id = '' } = (await runtime.db('eid_flows').first('id')) ?? {};
    await Promise.all([completeEid(runtime, id), completeEid(runtime, id)]);
    expect(await runtime.db('documents').select('source')).to.deep.equal([{ source: 'eid' }]);
    expect(await runtime.db('events').select('event')).to.deep.equal([{ event: 'EID_SUCCESS' }]);
  });

  it('is not started for a national eID that ended while its answer was being checked', async () => {
    await begin({ RUN_WORKERS: 'false' });
    const { runtime } = test.service;
    const now = new Date();
    const tenant = await test.tenant('ends@mail.example', { of: test.alice });
    const { api_key_id } = await ofTheirKey(runtime.db, tenant.id);
    const link = await startEid(runtime, tenant, api_key_id, 'https://letting.example/back', now);
    const token = link.split('/').at(-1) ?? '';
    await agreeToEid(runtime, token, 'I agree.');
    const step = await startEidAuthorization(runtime, token, 'browser');
    const state = step.show === 'redirect' ? (new URL(step.address).searchParams.get('state') ?? '') : '';
    const { id = '' } = (await runtime.db('eid_flows').first('id')) ?? {};
    const handleCallback = async () => {
      await endFlow(runtime.db, 'eid', { id, status: 'pending' }, { status: 'cancelled' }, now);
      return { state: 'succeeded' as const, grant: 'late' };
    };
    const providers = { ...runtime.providers, eid: { ...runtime.providers.eid, handleCallback } };
    await handleEidCallback({ ...runtime, providers }, new URLSearchParams({ state }), 'browser');
    expect(await runtime.db('eid_flows').first()).to.include({ status: 'cancelled', sealed_memory: null });
  });
});
