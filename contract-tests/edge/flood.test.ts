import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { programEnv } from '../../harness/process/process.ts';
import { basicOf } from '../../harness/service/client.ts';

const REQUESTS = 5000;
const TOGETHER = 100;
const ROUNDS = 4;
const MOST_ROUNDS = 30;
/** Refused before anything is looked up. */
const MOST = 3;
/** Refused after a look into the database, or a digest of the link. */
const MOST_OF_A_LOOKUP = 8;
const LINK = '6f0f2a4e-7f51-4f0e-9a67-5b1e8d4c9a10.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq';
const STATUS_LINE = 'HTTP/1.1 4';
const UNKNOWN_CLIENT = `POST /api/v1/authenticate/token HTTP/1.1\r\nHost: api\r\nAuthorization: Basic ${basicOf('nothing', 'wrong')}\r\nContent-Length: 0\r\n\r\n`;

interface FloodedServer {
  url: string;
  /** Microseconds so far. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

async function start(kind: 'bare' | 'service', env: Record<string, string>): Promise<FloodedServer> {
  const child = fork(new URL('flooded-server.ts', import.meta.url), [kind], {
    env: { ...programEnv(), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    cpu: async () => {
      child.send('cpu');
      const [spent] = await once(child, 'message');
      return Number(spent);
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Sends the request many times over one connection, some of them ahead of their answers. */
function flood(url: string, request: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let answered = 0;
    let rest = '';
    const socket = connect(Number(port), hostname).setEncoding('latin1').on('error', reject);
    const send = () => {
      for (; sent < REQUESTS && sent - answered < 4 * TOGETHER; sent += TOGETHER)
        socket.write(request.repeat(TOGETHER));
    };
    socket.on('data', (text: string) => {
      const parts = (rest + text).split(STATUS_LINE);
      answered += parts.length - 1;
      rest = parts.at(-1)?.slice(1 - STATUS_LINE.length) ?? '';
      if (answered >= REQUESTS) socket.destroy();
      else send();
    });
    socket.on('close', () => (answered >= REQUESTS ? resolve() : reject(new Error(`Only ${answered} answers.`))));
    send();
  });
}

describe('a pipelined flood without credentials', () => {
  const folder = suiteFixture(temporaryFolder);
  const bare = suiteFixture(() => start('bare', {}));
  const service = suiteFixture(async () => {
    const env = { PORT: '0', DATA_DIR: folder.path, RUN_WORKERS: 'false', LOG_LEVEL: 'info' };
    return start('service', { ...env, DATABASE_URL: await preparedDatabase(folder.path) });
  });

  const spent = async (server: FloodedServer, request: string) => {
    const before = await server.cpu();
    await flood(server.url, request);
    return (await server.cpu()) - before;
  };
  const floods: Record<string, string> = {
    'no token': 'GET /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\n\r\n',
    'a forged token':
      'GET /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer a.b.c\r\n\r\n',
    'no client_id': 'POST /api/v1/authenticate/token HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n\r\n',
    'a path that is not there': 'GET /nothing HTTP/1.1\r\nHost: api\r\n\r\n',
    'a message in the name of a provider': 'POST /providers/kyc HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n\r\n',
    'a method that is not there': 'PUT /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\n\r\n',
  };
  const costs = (what: string, request: string, most: number) =>
    it(`costs at most ${most} times what bare node:http spends: ${what}`, async () => {
      // The least of each, and more rounds while it is too much: whatever else the machine does only adds to them.
      const least = { bare: Infinity, service: Infinity };
      const isEnough = (round: number) => round > ROUNDS && least.service / least.bare <= most;
      for (let round = 0; round < MOST_ROUNDS && !isEnough(round); round++) {
        least.service = Math.min(least.service, await spent(service, request));
        least.bare = Math.min(least.bare, await spent(bare, request));
      }
      expect(least.service / least.bare).to.be.at.most(most);
    }).timeout(120_000);
  for (const [what, request] of Object.entries(floods)) costs(what, request, MOST);
  costs('a client_id that is not there', UNKNOWN_CLIENT, MOST_OF_A_LOOKUP);
  for (const place of ['invitation', 'onboarding', 'verify/kyc', 'verify/eid'])
    costs(`an unknown link below /${place}`, `GET /${place}/${LINK} HTTP/1.1\r\nHost: api\r\n\r\n`, MOST_OF_A_LOOKUP);
});
