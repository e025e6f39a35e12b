import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Balancer } from '../../harness/peers/balancer.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addHook, SOON_AGAIN } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';

databases('either', 'nightly');

const SECRET = 'whsec_YSByZXN0YXJ0IGlzIHNlZW4gYnkgbm8gY2FsbGVyLi4u';
const RESTARTS = times(2, 50);
const CALLERS = 6;
const PAUSE_MS = 10;
const MINUTE_MS = 60_000;

describe('two replicas restarted in turn under load', () => {
  const replicas: ServiceProcess[] = [];
  after(() => Promise.all(replicas.map((replica) => replica.kill())));
  const test = useService({ RUN_WORKERS: 'false' });
  const hook = suiteFixture(() => addHook(test.alice, SECRET));
  const balancer = suiteFixture(() => Balancer.start());

  const start = async (slot: number) => {
    const env = { ...new Admin(test).env, ...SOON_AGAIN, RUN_WORKERS: 'true', OPS_PORT: '0' };
    const replica = await startServiceProcess(env);
    replicas[slot] = replica;
    balancer.put(slot, { url: replica.url, readyUrl: `${replica.operatorsUrl}/readyz` });
  };

  it('fail no request and lose no job', async () => {
    await Promise.all([start(0), start(1)]);
    await eventually('both are ready', () => balancer.ready === 2);
    const { clientId, clientSecret } = test.alice;
    const alice = new Client(balancer.url, clientId, clientSecret);
    await alice.authenticate();
    let isOver = false;
    const verified: string[] = [];
    const call = async (caller: number) => {
      for (let turn = 0; !isOver; turn++, await wait(PAUSE_MS)) {
        const email = `caller-${caller}-${turn}+kyc-verified@mail.example`;
        const { data } = await alice.ok('createApplication', {
          body: { title: email, tenants: [{ email, is_lead: true }] },
        });
        const { application_id: applicationId } = data;
        await alice.ok('getApplication', { params: { applicationId } });
        await alice.ok('listWorkspaces');
        if (turn % 5 > 0) continue;
        const { id: tenantId } = await test.tenant(email);
        await alice.ok('initiateKyc', { params: { tenantId } });
        verified.push(tenantId);
      }
    };
    const load = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
    const restarting = (async () => {
      for (let restart = 0; restart < RESTARTS && !isOver; restart++) {
        expect(await replicas[restart % 2]?.stop()).to.equal(0);
        await start(restart % 2);
        await eventually('both are ready', () => balancer.ready === 2);
      }
    })();
    // Reveals more than the error of the affected caller.
    const seen = (error: unknown) => {
      throw balancer.failures.length > 0 ? new Error(balancer.failures.join('\n')) : error;
    };
    await Promise.race([load, restarting])
      .finally(() => {
        isOver = true;
      })
      .catch(seen);
    await load.catch(seen);
    expect(balancer.failures).to.deep.equal([]);
    const told = await eventually('every verification was sent', () => {
      const byTenant = Map.groupBy(hook.receiver.received, ({ data }) => data?.['tenant_id']);
      return verified.every((tenantId) => byTenant.has(tenantId)) && byTenant;
    });
    const sent = [...told.values()].map((deliveries) => deliveries.map(({ headers }) => headers['webhook-id']));
    expect(sent.filter((ids) => new Set(ids).size > 1)).to.deep.equal([]);
    const twice = sent.filter((ids) => ids.length > 1).length;
    figure(
      `${RESTARTS} restarts: 0 of ${balancer.answered} requests failed, 0 of ${verified.length} jobs lost, ${twice} sent twice`,
    );
  }).timeout((RESTARTS + 4) * MINUTE_MS);
});
