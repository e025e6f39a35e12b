import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';
import { exchange, expectRefusal, onlyAnswer } from './requests.ts';

databases('either');

const path = `${basePath}/webhooks/create-webhook`;
const HOST = 'Host: api\r\nConnection: close\r\n';

describe('raw bytes on a connection', () => {
  const test = useService();
  /** Checks that the service still works. */
  afterEach(() => test.alice.ok('listWorkspaces'));

  const bearer = () => `Authorization: Bearer ${test.alice.token}\r\nContent-Type: application/json\r\n`;

  const unreadable: Record<string, string> = {
    'no HTTP at all': 'HELLO\r\n\r\n',
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'an unknown version': `GET / HTTP/9.9\r\n${HOST}\r\n`,
    'an unknown method': `FETCH / HTTP/1.1\r\n${HOST}\r\n`,
    'a target with a space': `GET /a b HTTP/1.1\r\n${HOST}\r\n`,
    'a target without a slash': `GET nothing HTTP/1.1\r\n${HOST}\r\n`,
    'a target in bytes over 127': `GET /\xed\xa0\x80 HTTP/1.1\r\n${HOST}\r\n`,
    'no Host': 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    'a header of 20 KB': `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    'a target of 20 KB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    'three thousand headers': `GET / HTTP/1.1\r\n${HOST}${'X: a\r\n'.repeat(3_000)}\r\n`,
    'a header with a NUL': `GET / HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
    'a header without a colon': `GET / HTTP/1.1\r\n${HOST}X\r\n\r\n`,
    'a header name with a space': `GET / HTTP/1.1\r\n${HOST}X y: a\r\n\r\n`,
    'a header over two lines': `GET / HTTP/1.1\r\n${HOST}X-Request-Id: a\r\n b\r\n\r\n`,
    'a Content-Length that is no number': `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: abc\r\n\r\n{}`,
    'a negative Content-Length': `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n{}`,
    'two Content-Lengths': `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'Content-Length and chunks': `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  };
  for (const [what, bytes] of Object.entries(unreadable))
    it(`get 400 in the common envelope for ${what}, and the connection closes`, async () => {
      const answer = onlyAnswer(await exchange(test.service.url, Buffer.from(bytes, 'latin1')));
      expectRefusal(what, answer, 400);
      expect(answer.headers).to.include.keys('x-request-id');
    });

  it('get a single answer, 401, when the body is unreadable and there is no token', async () => {
    const head = `POST ${path} HTTP/1.1\r\n${HOST}`;
    for (const rest of ['Transfer-Encoding: foo\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'])
      expectRefusal(rest, onlyAnswer(await exchange(test.service.url, head + rest)), 401);
  });

  it('do not keep a connection open whose caller never closes it', async () => {
    const { hostname, port } = new URL(test.service.url);
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      `POST ${path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ]) {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.on('error', () => {}).resume();
      socket.write(bytes);
      await once(socket, 'end');
      await until('the connection is gone', () => {
        if (!socket.destroyed) socket.write('x');
        return socket.destroyed;
      });
    }
  });

  it('get a single answer when garbage arrives in pieces', async () => {
    const { hostname, port } = new URL(test.service.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).setEncoding('latin1');
    const pieces = socket.on('error', () => {}).toArray();
    for (let piece = 0; piece < 20; piece++)
      await new Promise((sent) => (socket.writable ? socket.write('NONSENSE\r\n\r\n', sent) : sent(undefined)));
    expect((await pieces).join('').match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 400']);
    socket.destroy();
  });

  it('get a single answer when the body is unreadable after a valid token', async () => {
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${bearer()}Transfer-Encoding: chunked\r\n\r\n`;
    for (const chunks of ['zz\r\n{}\r\n', '2\r\n{}zz\r\n', '1\r\n{\r\nzz\r\n']) {
      const answer = onlyAnswer(await exchange(test.service.url, head + chunks));
      expectRefusal(chunks, answer, 400);
    }
  });

  it('are handled as if there were no Expect header when its value is unknown', async () => {
    const workspaces = `${basePath}/property-management/workspaces`;
    const ask = (line: string) =>
      exchange(test.service.url, `GET ${workspaces} HTTP/1.1\r\n${HOST}Expect: something\r\n${line}\r\n`);
    expect(onlyAnswer(await ask(bearer())).status).to.equal(200);
    expectRefusal('Expect', onlyAnswer(await ask('')), 401);
  });

  it('do not switch protocols', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: api\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
      expectRefusal(protocol, onlyAnswer(await exchange(test.service.url, bytes)), 405);
    }
  });

  it('open no tunnel', async () => {
    const received = await exchange(test.service.url, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n');
    expect(received).not.to.match(/^HTTP\/1\.1 2/);
  });

  it('may be a chunked body', async () => {
    const chunks = '9\r\n{"url":"h\r\n16\r\nttps://hook.example/"}\r\n0\r\n\r\n';
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${bearer()}Transfer-Encoding: chunked\r\n\r\n`;
    expect(onlyAnswer(await exchange(test.service.url, head + chunks)).status).to.equal(200);
  });

  it('have no effect when the request is aborted midway', async () => {
    const { hostname, port } = new URL(test.service.url);
    const { db } = test.service.runtime;
    const before = await db('webhooks').select('id');
    const heads = [`POST ${path} HTTP/1.1\r\n${HOST}`, `POST ${path} HTTP/1.1\r\n${HOST}${bearer()}`];
    for (const head of heads)
      for (const rest of [
        '',
        'Content-Length: 60\r\n\r\n{"url":"https://hook.example/"}',
        'Transfer-Encoding: chunked\r\n\r\n2\r\n{}',
      ])
        await new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () =>
            socket.write(head + rest, () => socket.resetAndDestroy()),
          );
          socket.on('error', reject);
          socket.on('close', () => resolve());
        });
    await test.alice.ok('listWorkspaces');
    expect(await db('webhooks').select('id')).to.deep.equal(before);
  });
});
