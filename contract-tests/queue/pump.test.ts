import { mock } from 'node:test';
import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { until } from '../../harness/process/until.ts';
import { type LeasedJob, Pump } from '../../jobs/queue/pump.ts';
import { LEASE_SECONDS } from '../../jobs/queue/queue.ts';

describe('a pump of jobs', () => {
  afterEach(() => mock.timers.reset());

  it('keeps the lease of a job that runs, also while it stops, until it is abandoned', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const waiting: LeasedJob[] = [{ data: { id: 'hangs', correlationId: '1' } }];
    let extended = 0;
    let hasBegun = false;
    const store = {
      take: async () => waiting.splice(0),
      extend: async () => void extended++,
      complete: async () => {},
      fail: async () => {},
    };
    const worker = () => {
      hasBegun = true;
      return new Promise<void>(() => {});
    };
    const log = createLog('silent');
    const pump = new Pump(store, { name: 'send-invite', worker, concurrency: 1, pollMs: 1_000, log });
    await until('the job runs', () => hasBegun);
    void pump.stop();
    mock.timers.tick(LEASE_SECONDS * 1_000);
    expect(extended).to.equal(3);
    pump.abandon();
    mock.timers.tick(LEASE_SECONDS * 1_000);
    expect(extended).to.equal(3);
  });
});
