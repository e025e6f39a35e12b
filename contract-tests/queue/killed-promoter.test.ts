import { expect } from 'chai';
import { workTables } from '../../db/work/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { openWork, workDone } from '../../harness/database/open-work.ts';
import { dropQueued, queuedIds } from '../../harness/database/queue.ts';
import { eventually } from '../../harness/process/signals.ts';
import { causeEveryKind, expectDoneOnce } from '../../harness/service/every-kind.ts';
import { useOutsideWorkers } from '../../harness/service/outside-workers.ts';

databases('both');

const SECRET = 'whsec_VGhlIHByb21vdGVyIHJlc3RzIG9uIHRoZSByb3dzLg==';

describe('a promoter killed between leasing rows to the queue and the commit', () => {
  const { test, hook, startWorker } = useOutsideWorkers(SECRET);

  it('leaves every row as it was; another process becomes the leader and hands them over once', async () => {
    const { db } = test.service.runtime;
    const leader = async () => (await db('leaders').first('leased_by'))?.leased_by;
    await causeEveryKind(test, test.alice, 'promoted');
    await dropQueued(db);
    const killed = await startWorker({}, './hanging-worker.ts', ['promoting']);
    await eventually('it hung in the transaction', () => killed.logged.some(({ msg }) => msg === 'promoting'));
    const firstLeader = await leader();
    await killed.kill();
    expect((await openWork(db)).map(({ leased_by }) => leased_by)).to.deep.equal(workTables.map(() => null));
    expect(await queuedIds(db, 'deliver-webhook')).to.deep.equal([]);

    await startWorker();
    await workDone(db);
    expect(await leader()).not.to.equal(firstLeader);
    await expectDoneOnce(db, hook);
  });
});
