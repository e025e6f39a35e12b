import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { expectWithin, figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addApplicant, addHook, type Hook, SOON_AGAIN } from '../../harness/service/deliveries.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('postgres');

const SECRET = 'whsec_YSBzaWxlbnQgZGF0YWJhc2UgYmxvY2tzIG5vYm9keQ==';
const CALLS = times(40, 200);
/** Minimum duration of silence. */
const SILENT_MS = times(0, 5_000);
const SERVING_SECONDS = 15;

describe('a database whose connections fall silent', () => {
  let test: TestService;
  let proxy: SilentProxy;
  let service: ServiceProcess;
  let alice: Client;
  let hook: Hook;

  before(async () => {
    test = await startTestService({ RUN_WORKERS: 'false' });
    const { database } = test.config;
    proxy = await SilentProxy.start(database.dialect === 'postgres' ? database.url : expect.fail());
    service = await startServiceProcess({
      ...new Admin(test).env,
      ...SOON_AGAIN,
      RUN_WORKERS: 'true',
      DATABASE_URL: proxy.url,
      DATABASE_QUERY_SECONDS: String(times(2, 4)),
      DATABASE_CONNECT_SECONDS: String(times(2, 3)),
      DATABASE_TURN_SECONDS: String(times(4, 6)),
    });
    alice = new Client(service.url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
    hook = await addHook(alice, SECRET);
  });
  after(async () => {
    await service?.kill();
    await hook?.stop();
    await proxy?.stop();
    await test?.stop();
  });

  const create = (title: string) => {
    const tenants = [{ email: `${title.replaceAll(' ', '-')}@mail.example`, is_lead: true }];
    return alice.call('createApplication', { body: { title, tenants } });
  };
  const statusesOf = async (calls: Promise<{ status: number }>[]) => {
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    return [...new Set(statuses)];
  };
  const many = <Answer>(call: (number: number) => Promise<Answer>) => Array.from({ length: CALLS }, (_, n) => call(n));

  it('leaves no request unanswered, and API and workers serve again once it responds', async () => {
    // Within so short limits, a busy machine may refuse some of them at first.
    const created = (n: number) => until('it created', async () => (await create(`before-${n}`)).status === 200);
    await Promise.all(many(created));
    const [usual, waiting, serving] = [new Slowest(), new Slowest(), new Slowest()];
    await usual.time(() => serves('before'));
    proxy.fallSilent();
    const calls = [...many((n) => create(`silent-${n}`)), ...many(() => alice.call('listWorkspaces'))];
    const spoken = wait(SILENT_MS);
    // Nothing is known about calls that began: 500. Those that waited for a turn are refused as while the service is busy: nothing is kept of
    // them. A slow machine may begin all of them.
    const statuses = await waiting.time(() => statusesOf(calls));
    expect([500, 503]).to.include.members(statuses);
    expect(statuses).to.include(500);
    await spoken;
    proxy.speakAgain();
    await serving.time(() => serves('afterwards'));
    figure(`requests ended within ${waiting.seconds}; served ${serving.seconds} after the silence`);
    expectWithin(SERVING_SECONDS * 1000, serving, usual);
  });
  const serves = async (name: string) => {
    await until('the API served', async () => (await alice.call('listWorkspaces')).status === 200);
    await until('it created', async () => (await create(name)).status === 200);
    // Each may be the first to find out about a connection that was lost.
    const tenantId = await until('a person was there', () =>
      addApplicant(test, alice, `${name}+kyc-verified@mail.example`).catch(() => undefined),
    );
    const params = { tenantId };
    await until('it started', async () => (await alice.call('initiateKyc', { params })).status === 200);
    await eventually('the worker told', () =>
      hook.receiver.received.some(({ data }) => data?.['tenant_id'] === tenantId),
    );
  };

  it('does not fail reads whose connection Postgres ends', async () => {
    const patient = await startServiceProcess({ ...new Admin(test).env, RUN_WORKERS: 'false' });
    try {
      const reader = new Client(patient.url, test.alice.clientId, test.alice.clientSecret);
      await reader.authenticate();
      const { data } = await reader.ok('createApplication', {
        body: { title: 'Read', tenants: [{ email: 'read@mail.example', is_lead: true }] },
      });
      const params = { applicationId: data.application_id };
      const calls = many(() => reader.call('getApplication', { params }));
      await test.service.runtime.db.raw(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tenant-screening' and pid <> pg_backend_pid()",
      );
      const later = many(() => reader.call('getApplication', { params }));
      expect(await statusesOf([...calls, ...later])).to.deep.equal([200]);
      figure(`0 of ${2 * CALLS} reads failed`);
    } finally {
      await patient.kill();
    }
  });

  it('does not keep the service from stopping', async () => {
    proxy.fallSilent();
    const calls = many((n) => create(`at the end ${n}`).catch(() => ({ status: 0 })));
    const ending = new Slowest();
    expect(await ending.time(() => service.stop())).to.be.oneOf([0, 1]);
    figure(`ended after ${ending.seconds}; STOP_SECONDS is 28`);
    await Promise.all(calls);
  });
});
