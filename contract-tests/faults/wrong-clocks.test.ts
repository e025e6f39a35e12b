import { setTimeout as wait } from 'node:timers/promises';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import type { WorkerProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { addApplicant, emitTestEvent } from '../../harness/service/deliveries.ts';
import { expectDoneOnce } from '../../harness/service/every-kind.ts';
import { useOutsideWorkers } from '../../harness/service/outside-workers.ts';

databases('either', 'nightly');

const SECRET = 'whsec_QSBtaW51dGUgbW9yZSBvciBsZXNzIGlzIG5vIGhhcm0u';
const MINUTE_MS = 60_000;
const EVENTS_AT_ONCE = times(5, 50);
/** Reveals a lease that another worker wrongly considers expired: the endpoint is called twice. */
const ANSWER_MS = 1_000;

describe('workers whose clocks are a minute slow and fast, beside a correct one', () => {
  const { test, hook, startWorker } = useOutsideWorkers(SECRET);
  let workers: WorkerProcess[];

  before(async () => {
    hook.receiver.answer = () => wait(ANSWER_MS, 200);
    const preload = new URL('../../harness/process/shifted-clock.ts', import.meta.url);
    workers = await Promise.all(
      [-MINUTE_MS, 0, MINUTE_MS].map((off) =>
        startWorker({ NODE_OPTIONS: `--import=${preload}`, CLOCK_OFF_MS: String(off) }),
      ),
    );
  });

  it('share all work, and send nothing twice', async () => {
    const { db } = test.service.runtime;
    const tenant = await addApplicant(test, test.alice, 'clocks@mail.example');
    const hasSent = ({ logged }: WorkerProcess) => logged.some(({ msg }) => msg === 'delivery attempted');
    await until('each worker had sent something', async () => {
      await Promise.all(Array.from({ length: EVENTS_AT_ONCE }, () => emitTestEvent(test, tenant)));
      return workers.every(hasSent);
    });
    await workDone(db);
    await expectDoneOnce(db, hook);
    figure(`${hook.receiver.received.length} deliveries, none late and none twice`);
  });
});
