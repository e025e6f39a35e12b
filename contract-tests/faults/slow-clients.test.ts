import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { FaultWorld } from '../../harness/service/fault-world.ts';

databases('either');

const CONNECTIONS = times(200, 1000);
const CALLS = times(20, 200);
const ACCEPTED_TOGETHER = 100;
const DRIP_MS = 500;
/** Thoroughly, the service's default: two hundred calls at once may themselves take seconds to arrive. */
const SECONDS = String(times(3, 15));
/** All come from one address, which may hold a tenth. */
const MANY = { HTTP_CONNECTIONS: '20000' };
const HEAD = 'POST /api/v1/applications/create-application HTTP/1.1\r\nHost: api\r\n';
/** What each client sends at first and then occasionally: nothing, its headers, a body, or a request whose answer it never reads. */
const WAYS = [
  ['', ''],
  [HEAD, 'X: y\r\n'],
  [`${HEAD}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`, ' '],
  ['GET /openapi.yaml HTTP/1.1\r\nHost: api\r\n\r\n', ''],
] as const;

describe('silent and slow clients', () => {
  const world = suiteFixture(() =>
    FaultWorld.start({ ...PATIENCE, ...MANY, HTTP_HEADER_SECONDS: SECONDS, HTTP_BODY_SECONDS: SECONDS }),
  );

  const open = new Set<Socket>();
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  afterEach(closeAll);

  it('fail no call of other clients, and their connections end', async () => {
    const { hostname, port } = new URL(world.service.url);
    const begin = ([first, drop]: (typeof WAYS)[number]) => {
      const socket = connect(Number(port), hostname, () => socket.write(first));
      open.add(socket);
      const timer = drop ? setInterval(() => socket.write(drop), DRIP_MS) : undefined;
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        open.delete(socket);
      });
      // Only the last client never reads.
      if (!first.startsWith('GET')) socket.resume();
    };
    for (let number = 0; number < CONNECTIONS; number++) {
      begin(WAYS[number % WAYS.length] ?? WAYS[0]);
      // The kernel drops connections that overflow its queue; the call is accepted after them.
      if (number % ACCEPTED_TOGETHER === 0) expect(await world.read()).to.equal(200);
    }
    const readers = CONNECTIONS / WAYS.length;
    const ending = new Slowest();
    let calls = 0;
    await ending.time(async () => {
      while (open.size > readers) {
        const statuses = await world.calls(CALLS);
        expect(statuses, JSON.stringify(statuses)).to.deep.equal({ reads: [200], creates: [200] });
        calls += 2 * CALLS;
      }
    });
    closeAll();
    await until('all are gone', () => open.size === 0);
    figure(`${CONNECTIONS} connections: 0 of ${calls} calls failed; the slow ones were ended within ${ending.seconds}`);
  });
});
