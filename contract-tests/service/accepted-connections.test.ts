import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure } from '../../harness/mocha/figures.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

/** How many connections are new, and how many between two requests. */
const EACH = 80;
/** Over how long their requests are spread after the signal; shorter than the second in which a silent connection stays open. */
const SPREAD_MS = 600;
const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('connections that were accepted before SIGTERM', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await startServiceProcess({ RUN_WORKERS: 'false', ...new Admin(test).env });
  });
  afterEach(() => service.kill());

  const open = async (): Promise<Socket> => {
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return socket;
  };
  /** The status of the answer to one request, or how the connection ended without one. */
  const ask = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = '';
      socket.setEncoding('latin1').on('data', (piece) => {
        text += piece;
        if (text.includes('"openapi"')) resolve(text.slice(9, 12));
      });
      socket.once('error', ({ message }) => resolve(message)).once('close', () => resolve('closed without an answer'));
      socket.write(REQUEST);
    });

  it('are answered, whether they are new or between two requests', async () => {
    const fresh = await Promise.all(Array.from({ length: EACH }, open));
    const kept = await Promise.all(Array.from({ length: EACH }, open));
    for (const status of await Promise.all(kept.map(ask))) expect(status).to.equal('200');
    for (const socket of kept) socket.removeAllListeners('data').removeAllListeners('close');
    const stopped = service.stop();
    const answers = await Promise.all(
      [...fresh, ...kept].map(async (socket) => {
        await wait(Math.random() * SPREAD_MS);
        return ask(socket);
      }),
    );
    const lost = answers.filter((status) => status !== '200');
    figure(`${answers.length} connections were accepted at SIGTERM; not answered: ${lost.length}`);
    expect(lost).to.deep.equal([]);
    for (const socket of [...fresh, ...kept]) socket.destroy();
    expect(await stopped).to.equal(0);
  });

  it('while it is busy are answered, too: none waits unaccepted when the port closes', async () => {
    service.signal('SIGSTOP');
    const sockets = await Promise.all(Array.from({ length: EACH }, open));
    const answers = sockets.map(ask);
    const stopped = service.stop();
    service.signal('SIGCONT');
    expect((await Promise.all(answers)).filter((status) => status !== '200')).to.deep.equal([]);
    for (const socket of sockets) socket.destroy();
    expect(await stopped).to.equal(0);
  });
});

describe('a complete request that waits while the process stands still', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let service: ServiceProcess;
  before(async () => {
    const limits = { HTTP_HEADER_SECONDS: '6', HTTP_BODY_SECONDS: '6', HTTP_STALL_SECONDS: '7' };
    service = await startServiceProcess({ RUN_WORKERS: 'false', ...new Admin(test).env, ...limits });
  });
  after(() => service.kill());

  it('is answered, not refused as late; one that is still incomplete is refused', async () => {
    const { port, hostname } = new URL(service.url);
    const starting = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(REQUEST.slice(0, 20));
        return socket;
      }),
    );
    const statuses = starting.map(async (socket) => String((await once(socket, 'data'))[0]).slice(9, 12));
    await wait(500);
    service.signal('SIGSTOP');
    const [incomplete, ...complete] = starting;
    for (const socket of complete) socket.write(REQUEST.slice(20));
    incomplete?.write(REQUEST.slice(20, 25));
    await wait(9_000);
    service.signal('SIGCONT');
    const [late, ...answered] = await Promise.all(statuses);
    expect(answered.filter((status) => status !== '200')).to.deep.equal([]);
    expect(late).to.equal('408');
    for (const socket of starting) socket.destroy();
  });
});
