import { expect } from 'chai';
import { workTables } from '../../db/work/work.ts';
import { dialect } from '../../harness/database/databases.ts';
import { loseQueued, queuedIds } from '../../harness/database/queue.ts';
import { startWorkerProcess, type WorkerProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addHook, type Hook } from '../../harness/service/deliveries.ts';
import { causeEveryKind, openWork } from '../../harness/service/every-kind.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

const SECRET = 'whsec_VGhlIHByb21vdGVyIHJlc3RzIG9uIHRoZSByb3dzLg==';

describe(`a promoter that is killed between leasing rows to the queue and the commit, on ${dialect}`, () => {
  let test: TestService;
  let hook: Hook;
  const workers: WorkerProcess[] = [];

  before(async () => {
    test = await startTestService({ RUN_WORKERS: 'false' });
    hook = await addHook(test.alice, SECRET);
  });
  after(async () => {
    for (const worker of workers) await worker.kill();
    await hook?.stop();
    await test?.stop();
  });

  it('leaves every row as it was, and another process takes the lead and hands them over once', async () => {
    const { db } = test.service.runtime;
    const { env } = new Admin(test);
    const leases = async () =>
      (await Promise.all(workTables.map((table) => db(table).whereNotNull('due_at').pluck('leased_by')))).flat();
    const leader = async () => (await db('leaders').first('leased_by'))?.leased_by;
    await causeEveryKind(test, test.alice, 'promoted');
    await loseQueued(db);
    const killed = await startWorkerProcess(env, './hanging-worker.ts', ['promoting']);
    workers.push(killed);
    await until('it hung in the transaction', () => killed.logged.some(({ msg }) => msg === 'promoting'));
    const firstLeader = await leader();
    await killed.kill();
    expect(await leases()).to.deep.equal([null, null, null, null, null]);
    expect(await queuedIds(db, 'deliver-webhook')).to.deep.equal([]);

    workers.push(await startWorkerProcess(env));
    await until('all work was done', async () => (await openWork(db)).length === 0);
    expect(await leader()).not.to.equal(firstLeader);
    for (const table of workTables)
      expect(await db(table).pluck('failures'), table).to.satisfy((all: number[]) =>
        all.every((failures) => failures === 0),
      );
    expect(await db('deliveries').whereNot({ status: 'delivered', attempts: 1 })).to.deep.equal([]);
    const sent = hook.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(sent).to.have.members(await db('deliveries').pluck('id'));
  });
});
