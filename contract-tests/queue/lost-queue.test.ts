import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type WorkRow, workTables } from '../../db/work/work.ts';
import { dialect } from '../../harness/database/databases.ts';
import { loseQueued } from '../../harness/database/queue.ts';
import { until } from '../../harness/process/until.ts';
import { addHook, type Hook } from '../../harness/service/deliveries.ts';
import { causeEveryKind, openWork } from '../../harness/service/every-kind.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

const SECRET = 'whsec_VGhlIHF1ZXVlIG1heSBsb3NlIGl0cyByb3dzIG5vdy4=';
const [ROUNDS, LOSSES_A_ROUND] = [4, 5];
/** Longer than the promoter leases rows to the queue. */
const QUEUE_LEASE_MS = 31_000;

describe(`a queue whose tables are truncated while work goes on, on ${dialect}`, () => {
  let test: TestService;
  let hook: Hook;

  before(async () => {
    test = await startTestService();
    hook = await addHook(test.alice, SECRET);
  });
  after(async () => {
    await hook?.stop();
    await test?.stop();
  });

  it('loses nothing: all work is done at the latest when the leases of the queue have expired, and once', async () => {
    const { db } = test.service.runtime;
    for (let round = 0; round < ROUNDS; round++) {
      const caused = causeEveryKind(test, test.alice, `round-${round}`);
      for (let time = 0; time < LOSSES_A_ROUND; time++) await Promise.all([loseQueued(db), turn()]);
      await caused;
    }
    await loseQueued(db);
    const isHeld = (work: string) => !/ (null|queue)$/.test(work);
    await until('the workers had nothing left', async () => !(await openWork(db)).some(isHeld));
    test.setNow(new Date(Date.now() + QUEUE_LEASE_MS));
    await until('all work was done', async () => (await openWork(db)).length === 0);

    for (const table of workTables)
      expect(await db<WorkRow>(table).pluck('failures'), table).to.satisfy((all: number[]) =>
        all.every((failures) => failures === 0),
      );
    expect(await db('deliveries').whereNot({ status: 'delivered', attempts: 1 })).to.deep.equal([]);
    const sent = hook.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(sent).to.have.members(await db('deliveries').pluck('id'));
  });
});
