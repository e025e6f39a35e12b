import { expect } from 'chai';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { startLoggedService } from './logged-service.ts';
import { exchange } from './requests.ts';

const FLOOD = 2000;
const A_SECOND = 100;

describe('the log of refused requests that nobody has identified', () => {
  const logged = suiteFixture(() => startLoggedService());

  it('has a hundred a second at most and the number of the others, so that a flood fills no disk', async () => {
    const startedAt = performance.now();
    const request = 'GET /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\n';
    await exchange(logged.service.url, `${`${request}\r\n`.repeat(FLOOD - 1)}${request}Connection: close\r\n\r\n`);
    const { single, counted } = await until('every one was logged or counted', () => {
      const lines = logged.lines();
      const found = {
        single: lines.filter(({ msg, status }) => msg === 'request' && status === 401).length,
        counted: lines.reduce((sum, { requests = 0 }) => sum + requests, 0),
      };
      return found.single + found.counted === FLOOD && found;
    });
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    expect(single).to.be.at.most(A_SECOND * seconds);
    expect(counted).to.be.above(0);
  });

  it('has each of those with an API key', async () => {
    const before = logged.lines().length;
    await logged.client.authenticate();
    const most = A_SECOND + 20;
    const answers = await Promise.all(
      Array.from({ length: most }, () => logged.client.call('getApplication', { params: { applicationId: 'absent' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404]));
    await until('all were logged', () => {
      const later = logged.lines().slice(before);
      return later.filter(({ msg, status }) => msg === 'request' && status === 404).length === most;
    });
  });
});
