import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { dialect } from '../../harness/database/databases.ts';
import { startWorkerProcess, type WorkerProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addHook, type Hook, tell } from '../../harness/service/deliveries.ts';
import { openWork } from '../../harness/service/every-kind.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

const SECRET = 'whsec_QSBtaW51dGUgbW9yZSBvciBsZXNzIGlzIG5vIGhhcm0u';
const MINUTE_MS = 60_000;
const EVENTS_AT_ONCE = 5;
/** So that a lease which another worker takes for expired is seen: the endpoint is asked twice. */
const ANSWER_MS = 1_000;

describe(`workers whose clocks are a minute behind and ahead, beside a right one, on ${dialect}`, () => {
  let test: TestService;
  let hook: Hook;
  const workers: WorkerProcess[] = [];

  before(async () => {
    test = await startTestService({ RUN_WORKERS: 'false' });
    hook = await addHook(test.alice, SECRET);
    hook.receiver.answer = () => wait(ANSWER_MS, 200);
    const { env } = new Admin(test);
    const preload = new URL('../../harness/process/shifted-clock.ts', import.meta.url);
    const started = [-MINUTE_MS, 0, MINUTE_MS].map((off) =>
      startWorkerProcess({ ...env, NODE_OPTIONS: `--import=${preload}`, CLOCK_OFF_MS: String(off) }),
    );
    workers.push(...(await Promise.all(started)));
  });
  after(async () => {
    for (const worker of workers) await worker.kill();
    await hook?.stop();
    await test?.stop();
  });

  it('do all work, each of them a part, and send nothing twice', async () => {
    const { db } = test.service.runtime;
    const tenant = await addApplicant(test, test.alice, 'clocks@mail.example');
    const hasSent = ({ logged }: WorkerProcess) => logged.some(({ msg }) => msg === 'delivery attempted');
    await until('each worker had sent something', async () => {
      await Promise.all(Array.from({ length: EVENTS_AT_ONCE }, () => tell(test, tenant)));
      return workers.every(hasSent);
    });
    await until('all work was done', async () => (await openWork(db)).length === 0);
    expect(await db('deliveries').whereNot({ status: 'delivered', attempts: 1 })).to.deep.equal([]);
    const sent = hook.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(sent).to.have.members(await db('deliveries').pluck('id'));
  });
});
