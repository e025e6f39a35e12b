import { setImmediate as turn } from 'node:timers/promises';
import { QUEUED, type WorkRow, workTables } from '../../db/work/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { dropQueued } from '../../harness/database/queue.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addHook } from '../../harness/service/deliveries.ts';
import { causeEveryKind, expectDoneOnce } from '../../harness/service/every-kind.ts';
import { useService } from '../../harness/service/service.ts';

databases('both', 'nightly');

const SECRET = 'whsec_VGhlIHF1ZXVlIG1heSBsb3NlIGl0cyByb3dzIG5vdy4=';
const [ROUNDS, LOSSES_A_ROUND] = [4, 5];

describe('a queue whose tables are truncated during work', () => {
  const test = useService();
  const hook = suiteFixture(() => addHook(test.alice, SECRET));

  it('loses nothing: all work is done once, at the latest when the queue’s leases have expired', async () => {
    const { db } = test.service.runtime;
    for (let round = 0; round < ROUNDS; round++) {
      const caused = causeEveryKind(test, test.alice, `round-${round}`);
      for (let time = 0; time < LOSSES_A_ROUND; time++) await Promise.all([dropQueued(db), turn()]);
      await caused;
    }
    await dropQueued(db);
    // Ends the queue's leases alone: with a later clock, those of the workers would end during their work.
    for (const table of workTables) {
      const queued = db<WorkRow>(table).where({ leased_by: QUEUED });
      // One by one: workers lock several in order.
      for (const id of await queued.clone().pluck('id'))
        await queued.clone().where({ id }).update({ due_at: new Date().toISOString() });
    }
    await workDone(db);

    await expectDoneOnce(db, hook);
  });
});
