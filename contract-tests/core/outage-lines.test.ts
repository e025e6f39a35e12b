import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the log of an outage', () => {
  it('has no line of its own for requests that fail after the last error, while they waited for a turn and an answer', async () => {
    const lines: { msg: string; status?: number }[] = [];
    const reported = Promise.withResolvers<void>();
    const log = createLog('info', {
      write: (line) => {
        lines.push(JSON.parse(line));
        if (line.includes('suppressed')) reported.resolve();
      },
    });
    const err = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    for (let times = 0; times < 2; times++) log.error({ err }, 'failed');
    // A second later.
    await reported.promise;
    for (let times = 0; times < 20; times++) log.info({ status: 503 }, 'request');
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['failed', 'connection failures suppressed']);
    log.info({ status: 200 }, 'request');
    expect(lines.at(-1)).to.include({ status: 200 });
  });
});
