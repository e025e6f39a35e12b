import { expect } from 'chai';
import { workTables } from '../../db/work/work.ts';
import { dialect } from '../../harness/database/databases.ts';
import { loseQueued, queuedIds } from '../../harness/database/queue.ts';
import { until } from '../../harness/process/until.ts';
import { causeEveryKind, expectDoneOnce, openWork } from '../../harness/service/every-kind.ts';
import { useOutsideWorkers } from '../../harness/service/outside-workers.ts';

const SECRET = 'whsec_VGhlIHByb21vdGVyIHJlc3RzIG9uIHRoZSByb3dzLg==';

describe(`a promoter killed between leasing rows to the queue and the commit, on ${dialect}`, () => {
  const { test, hook, startWorker } = useOutsideWorkers(SECRET);

  it('leaves every row as it was; another process becomes the leader and hands them over once', async () => {
    const { db } = test.service.runtime;
    const leases = async () =>
      (await Promise.all(workTables.map((table) => db(table).whereNotNull('due_at').pluck('leased_by')))).flat();
    const leader = async () => (await db('leaders').first('leased_by'))?.leased_by;
    await causeEveryKind(test, test.alice, 'promoted');
    await loseQueued(db);
    const killed = await startWorker({}, './hanging-worker.ts', ['promoting']);
    await until('it hung in the transaction', () => killed.logged.some(({ msg }) => msg === 'promoting'));
    const firstLeader = await leader();
    await killed.kill();
    expect(await leases()).to.deep.equal([null, null, null, null, null]);
    expect(await queuedIds(db, 'deliver-webhook')).to.deep.equal([]);

    await startWorker();
    await until('all work was done', async () => (await openWork(db)).length === 0);
    expect(await leader()).not.to.equal(firstLeader);
    await expectDoneOnce(db, hook);
  });
});
