import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type TestService, useService } from '../../harness/service/service.ts';
import { createApp } from '../../http/app.ts';
import { createApiServer } from '../../http/edge/server.ts';
import { exchange, expectRefusal, onlyAnswer } from './requests.ts';

databases('either');

const HEAD = 'GET / HTTP/1.1\r\nHost: api\r\n';
const DRIP_MS = 100;

function open({ service }: TestService): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

describe('slow connections', () => {
  const test = useService({ HTTP_HEADER_SECONDS: '1', HTTP_BODY_SECONDS: '1' });

  /** Sends the beginning, then one byte at a time, until the service ends the connection. */
  const drip = async (beginning: string, byte: string): Promise<string> => {
    const socket = await open(test);
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    // The last bytes are sent to a closed connection.
    socket.removeAllListeners('error').on('error', () => {});
    const timer = byte ? setInterval(() => socket.write(byte), DRIP_MS) : undefined;
    if (beginning) socket.write(beginning);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(timer);
    return received;
  };

  const slow: Record<string, [beginning: string, byte: string]> = {
    'says nothing': ['', ''],
    'never ends its headers': [HEAD, ''],
    'sends its headers byte by byte': [`${HEAD}X: `, 'a'],
    'never sends its body': [
      'POST /api/v1/webhooks/create-webhook HTTP/1.1\r\nHost: api\r\nContent-Length: 9000\r\n\r\n',
      '',
    ],
    'sends its body byte by byte': [
      'POST /api/v1/webhooks/create-webhook HTTP/1.1\r\nHost: api\r\nContent-Length: 9000\r\n\r\n',
      ' ',
    ],
  };
  for (const [what, [beginning, byte]] of Object.entries(slow))
    it(`end when someone ${what}`, async () => {
      const received = await drip(beginning, byte);
      expect(received).to.match(/^HTTP\/1\.1 40[18] /);
      if (beginning.startsWith('GET') || !beginning) expectRefusal(what, onlyAnswer(received), 408);
    });

  it('time out after 15 seconds by default', () => {
    expect(readConfig({}).connections).to.deep.equal({
      connections: 5000,
      headerMs: 15_000,
      requestMs: 15_000,
      stallMs: 60_000,
    });
  });
});

describe('connections', () => {
  // With the usual time limits: silent connections that ended meanwhile would make room for others.
  const test = useService({ HTTP_CONNECTIONS: '8' });

  it('are limited in number', async () => {
    const sockets: Socket[] = [];
    try {
      const closed = async () => {
        const socket = await open(test).catch(() => undefined);
        if (!socket) return true;
        sockets.push(socket);
        socket.removeAllListeners('error').on('error', () => {});
        if (sockets.length <= 4) return false;
        return new Promise<boolean>((resolve) => {
          socket.on('close', () => resolve(true)).on('data', () => resolve(false));
          socket.write(`${HEAD}\r\n`);
        });
      };
      const most = 40;
      let count = 0;
      while (count < most && !(await closed())) count++;
      expect(count).to.be.below(9);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('the headers of every answer', () => {
  const plain = useService();
  const servers: Server[] = [];
  const addressFor = async (publicUrl: string) => {
    const { service, config } = plain;
    const settings = { ...config, publicUrl };
    const server = createApiServer(createApp(service.runtime, settings), service.runtime.log, settings);
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
  };
  let secure: string;
  let beside: string;
  before(async () => {
    secure = await addressFor('https://screening.example');
    beside = await addressFor('https://agency.example/screening');
  });
  after(() => {
    for (const server of servers) server.close();
  });

  const asked: Record<string, string> = {
    'a page': 'GET / HTTP/1.1\r\nHost: api\r\n',
    'the API': 'GET /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\n',
    'the contract': 'GET /openapi.yaml HTTP/1.1\r\nHost: api\r\n',
    'a dead link': 'GET /invitation/none HTTP/1.1\r\nHost: api\r\n',
    'a wrong method': 'PUT /api/v1/webhooks/create-webhook HTTP/1.1\r\nHost: api\r\n',
    'an unreadable request': 'HELLO\r\n',
    'oversized headers': `GET / HTTP/1.1\r\nHost: api\r\nX: ${'a'.repeat(20_000)}\r\n`,
  };
  for (const [what, lines] of Object.entries(asked))
    it(`have nosniff, a policy, and HSTS where the public address is https: ${what}`, async () => {
      const headOf = async (url: string) => {
        const [head = ''] = (await exchange(url, `${lines}Connection: close\r\n\r\n`)).split('\r\n\r\n');
        return head.toLowerCase();
      };
      const [own, shared, other] = [await headOf(secure), await headOf(beside), await headOf(plain.service.url)];
      for (const head of [own, shared, other]) {
        expect(head).to.include('x-content-type-options: nosniff');
        expect(head).to.match(/^content-security-policy: default-src 'none'.*frame-ancestors 'none'/m);
      }
      expect(own).to.match(/^strict-transport-security: max-age=31536000; includesubdomains\r?$/m);
      expect(shared, 'a host that is not ours alone').to.match(/^strict-transport-security: max-age=31536000\r?$/m);
      expect(other).not.to.include('strict-transport-security');
    });
});
