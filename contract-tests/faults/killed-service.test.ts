import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { verify } from '../../harness/peers/receiver.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addHook, SOON_AGAIN } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const SECRET = 'whsec_c3Vydml2ZXMgZXZlcnkgcmVzdGFydCBvZiB1cw==';
const KILLS = times(6, 30);
const MINUTE_MS = 60_000;

describe('a service killed at any moment', () => {
  let service: ServiceProcess | undefined;
  after(() => service?.kill());
  const test = useService({ RUN_WORKERS: 'false' });
  const hook = suiteFixture(() => addHook(test.alice, SECRET));

  const start = async (): Promise<Client> => {
    service = await startServiceProcess({ ...new Admin(test).env, ...SOON_AGAIN, RUN_WORKERS: 'true' });
    const client = new Client(service.url, test.alice.clientId, test.alice.clientSecret);
    await client.authenticate();
    return client;
  };

  it('loses no acknowledged write and no event, and sends each event once per webhook', async () => {
    const { receiver } = hook;
    const { db } = test.service.runtime;
    const acknowledged: string[] = [];
    const verified: string[] = [];
    let client = await start();
    for (let round = 0; round < KILLS; round++) {
      const before = acknowledged.length;
      // Every other kill follows an acknowledged write: on a busy machine, hundreds of milliseconds see none.
      const isWritten = () => round % 2 === 0 || acknowledged.length > before;
      const killed = wait(150 + Math.random() * 400)
        .then(() => until('a write was acknowledged', isWritten))
        .then(() => service?.kill());
      await work(client, round, acknowledged, verified);
      await killed;
      client = await start();
    }
    for (const applicationId of acknowledged) await client.ok('getApplication', { params: { applicationId } });
    await eventually('every started verification was sent', () => {
      const told = new Set(receiver.received.map(({ data }) => data?.['tenant_id']));
      return verified.every((tenantId) => told.has(tenantId));
    });
    await until('nothing is left to deliver', async () => {
      expect(await db('set_aside_work'), 'work that is blamed for the kills').to.deep.equal([]);
      return !(await db('deliveries').whereNot({ status: 'delivered' }).first());
    });
    expect(acknowledged).to.not.be.empty;
    expect(receiver.faults).to.deep.equal([]);
    for (const delivery of receiver.received) verify(delivery, SECRET);
    for (const tenantId of verified) {
      const ids = receiver.received
        .filter(({ event, data }) => event === 'KYC_VERIFICATION_DATA' && data?.['tenant_id'] === tenantId)
        .map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size, 'one id however often it was sent').to.equal(1);
    }
    figure(`${KILLS} kills: 0 of ${acknowledged.length} acknowledged writes and 0 of ${verified.length} jobs lost`);
  }).timeout((KILLS + 3) * MINUTE_MS);

  /** Creates applications and starts verifications until the connection breaks, recording what was acknowledged. */
  async function work(client: Client, round: number, acknowledged: string[], verified: string[]): Promise<void> {
    for (let turn = 0; ; turn++) {
      const email = `r${round}-t${turn}+kyc-verified@mail.example`;
      const { id: tenantId } = await test.tenant(email);
      try {
        const body = { title: email, tenants: [{ email, is_lead: true }] };
        acknowledged.push((await client.ok('createApplication', { body })).data.application_id);
        await client.ok('initiateKyc', { params: { tenantId } });
        verified.push(tenantId);
      } catch (error) {
        if (error instanceof Error && 'code' in error) return;
        throw error;
      }
    }
  }
});
