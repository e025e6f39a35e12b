import { setImmediate as turn } from 'node:timers/promises';
import { QUEUED, type WorkRow } from '../../db/work/work.ts';
import { dialect } from '../../harness/database/databases.ts';
import { openWork, workDone } from '../../harness/database/open-work.ts';
import { loseQueued } from '../../harness/database/queue.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { addHook } from '../../harness/service/deliveries.ts';
import { causeEveryKind, expectDoneOnce } from '../../harness/service/every-kind.ts';
import { useService } from '../../harness/service/service.ts';

const SECRET = 'whsec_VGhlIHF1ZXVlIG1heSBsb3NlIGl0cyByb3dzIG5vdy4=';
const [ROUNDS, LOSSES_A_ROUND] = [4, 5];
/** Longer than the promoter leases rows to the queue. */
const QUEUE_LEASE_MS = 31_000;

describe(`a queue whose tables are truncated during work, on ${dialect}`, () => {
  const test = useService();
  const hook = suiteFixture(() => addHook(test.alice, SECRET));

  it('loses nothing: all work is done once, at the latest when the queue’s leases have expired', async () => {
    const { db } = test.service.runtime;
    for (let round = 0; round < ROUNDS; round++) {
      const caused = causeEveryKind(test, test.alice, `round-${round}`);
      for (let time = 0; time < LOSSES_A_ROUND; time++) await Promise.all([loseQueued(db), turn()]);
      await caused;
    }
    await loseQueued(db);
    const isWaiting = ({ leased_by }: Pick<WorkRow, 'leased_by'>) => leased_by === null || leased_by === QUEUED;
    await until('the workers had nothing left', async () => (await openWork(db)).every(isWaiting));
    test.setNow(new Date(Date.now() + QUEUE_LEASE_MS));
    await workDone(db);

    await expectDoneOnce(db, hook);
  });
});
