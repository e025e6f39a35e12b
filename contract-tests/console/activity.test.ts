import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { DAYS_KEPT } from '../../db/work/daily-counts.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { startWorkerProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addHook, emitTestEvent } from '../../harness/service/deliveries.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { DailyCounts } from '../../jobs/upkeep/daily-counts.ts';
import { CONSOLE, OperatorBrowser } from './operators.ts';

databases('either');

describe('the service’s activity counts', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;

  it('are summed over all processes per day, and old days are purged', async () => {
    const day = '2026-03-15';
    const counts = [1, 2].map(
      () => new DailyCounts({ ...test.service.runtime, now: () => new Date(`${day}T12:00:00Z`) }),
    );
    await db()('daily_counts').insert({ period: '2020-01-01', name: 'requests 2xx', count: 7 });
    for (const one of counts)
      for (const status of [200, 204, 302, 404, 500, 'aborted'] as const) one.requestEnded(status);
    for (const outcome of ['success', 'refused'] as const)
      test.service.runtime.work.emit('delivery attempted', outcome);
    test.service.runtime.work.emit('document analysed', 'tampered', 1);
    for (const one of counts) await one.stop();
    const rows = await db()('daily_counts').whereIn('period', [day, '2020-01-01']).orderBy('name');
    expect(rows.map(({ name, count }) => [name, Number(count)])).to.deep.equal([
      ['delivery attempts', 4],
      ['documents analysed', 2],
      ['failed delivery attempts', 2],
      ['requests 2xx', 4],
      ['requests 3xx', 2],
      ['requests 4xx', 2],
      ['requests 5xx', 2],
      ['requests aborted', 2],
    ]);
    expect(DAYS_KEPT).to.be.above(366);
  });

  it('are retained and retried when they cannot be stored', async () => {
    const { runtime } = test.service;
    const now = () => new Date('2026-03-16T12:00:00Z');
    let fails = true;
    const broken = new DailyCounts({
      ...runtime,
      now: () => {
        if (fails) return new Date(Number.NaN);
        return now();
      },
    });
    broken.requestEnded(200);
    await broken.flush();
    fails = false;
    await broken.stop();
    expect(Number((await db()('daily_counts').where({ period: '2026-03-16' }).first())?.count)).to.equal(1);
  });

  it('are charted per day and per month on the overview', async () => {
    test.setNow(new Date('2026-03-20T12:00:00Z'));
    const viewer = await OperatorBrowser.signIn(test, 'viewer');
    const text = readable((await viewer.open('/')).text);
    for (const words of [
      'Requests per day',
      '2026-03-15: 12, of which 4 failed',
      '2026-03-15: 4, of which 2 failed',
      'Requests per month',
      '2026-03: 13',
      'Delivery attempts per month',
      'Documents analysed per day',
    ])
      expect(text).to.include(words);
  });
});

describe('a process that serves operators', () => {
  it('stores its counts when it stops', async () => {
    const test = await startTestService({ ...CONSOLE, RUN_WORKERS: 'false' });
    try {
      await fetch(`${test.service.url}/nowhere`);
      // The answer can arrive before the request counts as finished; the stop waits for that.
      await test.service.close();
      const db = await connect(test.config.database);
      const names = await db('daily_counts').pluck('name');
      await disconnect(db);
      expect(names).to.include('requests 4xx');
    } finally {
      await rm(test.folder, { recursive: true, force: true });
    }
  });

  it('stores its counts as a worker, too', async () => {
    const test = await startTestService({ RUN_WORKERS: 'false' });
    const hook = await addHook(test.alice);
    try {
      const worker = await startWorkerProcess({ ...new Admin(test).env, OPS_PORT: '0' });
      await emitTestEvent(test, await addApplicant(test, test.alice, 'marta.ruiz@mail.example'));
      await hook.receiver.next('EID_SUCCESS');
      expect(await worker.stop()).to.equal(0);
      const counts = await test.service.runtime.db('daily_counts').where({ name: 'delivery attempts' });
      expect(counts.map(({ count }) => Number(count))).to.deep.equal([1, 1]);
    } finally {
      await test.stop();
      await hook.stop();
    }
  });
});
