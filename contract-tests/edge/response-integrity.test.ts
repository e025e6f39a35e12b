import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, hear } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';
import { exchange, expectRefusal, onlyAnswer } from './requests.ts';

databases('either');

const create = `${basePath}/webhooks/create-webhook`;
const MIB = 2 ** 20;

/** The maximum that both kernels may buffer in transit. */
const BUFFERED_MIB = 32;

describe('a response arrives', () => {
  const test = useService();
  /** Checks that the service still works. */
  afterEach(() => test.alice.ok('listWorkspaces'));

  const bearer = () => `Host: api\r\nAuthorization: Bearer ${test.alice.token}\r\n`;
  const post = (url: string, more = '') => {
    const body = JSON.stringify({ url });
    return `POST ${create} HTTP/1.1\r\n${bearer()}${more}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const webhooks = (url: string) => test.service.runtime.db('webhooks').where({ url }).pluck('id');

  /** The received answers, each complete. */
  function answersIn(received: string) {
    const answers = [];
    for (let rest = Buffer.from(received); rest.length > 0; ) {
      const end = rest.indexOf('\r\n\r\n') + 4;
      const head = rest.subarray(0, end).toString();
      const [, length = ''] = /content-length: (\d+)/i.exec(head) ?? [];
      expect(head).to.match(/^HTTP\/1\.1 \d{3} /);
      expect(rest.length, head).to.be.at.least(end + Number(length));
      const text = rest.subarray(end, end + Number(length)).toString();
      answers.push({ status: Number(head.slice(9, 12)), text });
      rest = rest.subarray(end + Number(length));
    }
    return answers;
  }

  const garbage: Record<string, string> = {
    'a line': 'NONSENSE\r\n\r\n',
    NULs: '\0'.repeat(100),
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a second body': '{"url":"https://second.example/"}',
    'a mebibyte of it': 'x'.repeat(MIB),
    'a broken request': `POST ${create} HTTP/1.1\r\nContent-Length: -1\r\n\r\n`,
  };
  let serial = 0;
  for (const [what, bytes] of Object.entries(garbage))
    it(`when ${what} follows the request: the request takes effect and gets its real answer, then the connection closes`, async () => {
      for (const more of ['', 'Connection: close\r\n']) {
        const url = `https://hook-${++serial}.example/`;
        const answer = onlyAnswer(await exchange(test.service.url, post(url, more) + bytes));
        expect(answer.status, answer.text).to.equal(200);
        expect(answer.headers).to.include({ connection: 'close' });
        expect(await webhooks(url)).to.deep.equal([JSON.parse(answer.text).data.id]);
      }
      const without = post('https://without.example/').replace(/Authorization: .*\r\n/, '');
      expectRefusal('no token', onlyAnswer(await exchange(test.service.url, without + bytes)), 401);
    });

  it('when an unused body is malformed, and the operation is carried out', async () => {
    const people = [
      { email: 'lead@mail.example', is_lead: true },
      { email: 'removed@mail.example', is_lead: false },
    ];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Broken', tenants: people } });
    const target = `${basePath}/applications/${data.application_id}/participants/removed@mail.example`;
    const removal = `DELETE ${target} HTTP/1.1\r\n${bearer()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const answer = onlyAnswer(await exchange(test.service.url, removal));
    expect(answer.status, answer.text).to.equal(200);
    const params = { applicationId: data.application_id };
    expect((await test.alice.ok('getApplication', { params })).data.participants).to.have.length(1);
  });

  it('however many chunked bodies the connection carried before', async () => {
    const chunked = 'POST /nothing HTTP/1.1\r\nHost: api\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
    const last = chunked.replace('Host: api', 'Host: api\r\nConnection: close');
    const { hostname, port } = new URL(test.service.url);
    const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
    let answered = 0;
    hear(socket, (text) => {
      answered += text.match(/HTTP\/1\.1 404/g)?.length ?? 0;
    });
    // More levels than the stack has frames, in portions that a connection may have waiting.
    for (const _ of Array(4)) {
      const before = answered;
      socket.write(chunked.repeat(3_000));
      await eventually('this portion is answered', () => answered === before + 3_000);
    }
    socket.write(last);
    await once(socket, 'close');
    expect(answered).to.equal(12_001);
  });

  it('when garbage arrives later on a kept connection: the garbage is answered', async () => {
    const { hostname, port } = new URL(test.service.url);
    const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    socket.write(`GET /nothing HTTP/1.1\r\nHost: api\r\n\r\n`);
    await until('it is answered', () => received.includes('404') && received.endsWith('}'));
    socket.write('NONSENSE\r\n\r\n');
    await once(socket, 'close');
    expect(answersIn(received).map(({ status }) => status)).to.deep.equal([404, 400]);
  });

  it('when it is long and garbage follows the request', async () => {
    for (const more of ['', 'Connection: close\r\n'])
      for (const bytes of ['NONSENSE\r\n\r\n', 'x'.repeat(MIB)]) {
        const request = `GET /openapi.yaml HTTP/1.1\r\nHost: api\r\n${more}\r\n`;
        const [answer] = answersIn(await exchange(test.service.url, request + bytes));
        expect(answer?.status).to.equal(200);
        expect(answer?.text).to.match(/^openapi: 3\.0\.3\n/);
      }
  });

  it('when more requests and then garbage follow: each is answered in order', async () => {
    const urls = ['a', 'b', 'c'].map((name) => `https://${name}.example/`);
    const answers = answersIn(await exchange(test.service.url, `${urls.map((url) => post(url)).join('')}NONSENSE\r\n`));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    for (const [index, url] of urls.entries())
      expect(await webhooks(url)).to.deep.equal([JSON.parse(answers[index]?.text ?? '').data.id]);
  });

  it('for a pipelined CONNECT too, in order: it opens no tunnel', async () => {
    const ask = 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n';
    const refusal = onlyAnswer(await exchange(test.service.url, ask));
    expectRefusal('CONNECT', refusal, 405);
    expect(refusal.headers).to.include.keys('allow', 'x-request-id', 'x-content-type-options');
    const url = 'https://before-connect.example/';
    const answers = answersIn(await exchange(test.service.url, post(url) + ask));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 405]);
    expect(await webhooks(url)).to.have.length(1);
  });

  it('and nothing behind a connection’s last request is carried out', async () => {
    const url = 'https://behind.example/';
    const long = JSON.stringify({ url: `https://${'a'.repeat(200_000)}.example/` });
    const head = `POST ${create} HTTP/1.1\r\n${bearer()}Content-Type: application/json\r\n`;
    for (const first of [
      `${head}Content-Length: ${long.length}\r\n\r\n${long}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`,
    ]) {
      const [answer, ...others] = answersIn(await exchange(test.service.url, first + post(url)));
      expect(answer?.status).to.equal(400);
      expect(others).to.deep.equal([]);
      expect(await webhooks(url)).to.deep.equal([]);
    }
  });

  describe('and a body over the limit is not read to its end', () => {
    const open = (): Promise<Socket> => {
      const { hostname, port } = new URL(test.service.url);
      return new Promise((resolve) => {
        const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
      });
    };

    /** @returns the first bytes received before any body is sent */
    async function exchangeHead(head: string): Promise<string> {
      const socket = await open();
      socket.setEncoding('utf8').on('error', () => {});
      socket.write(head);
      const [text] = await once(socket, 'data');
      socket.destroy();
      return String(text);
    }

    /** Sends endlessly. @returns the received bytes, and how much the kernel accepted */
    async function flood(head: string, piece: string): Promise<{ received: string; mib: number }> {
      const socket = await open();
      let received = '';
      let isOver = false;
      socket.setEncoding('utf8').on('data', (text) => {
        received += text;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        isOver = true;
      });
      socket.write(head);
      while (!isOver && socket.bytesWritten < 1024 * MIB) {
        const drained = socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
        if (!drained) await until('more can be sent, or no more', () => isOver || socket.writableLength < MIB);
      }
      const mib = (socket.bytesWritten - socket.writableLength) / MIB;
      socket.destroy();
      return { received, mib };
    }

    const body = 'x'.repeat(64 * 1024);
    const chunk = `10000\r\n${body}\r\n`;
    const declared = 'Content-Type: application/json\r\nContent-Length: 2000000000\r\n\r\n';
    const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const floods: [what: string, target: string, rest: string, piece: string, status: number][] = [
      ['of a declared length', `POST ${create}`, declared, body, 400],
      ['in chunks', `POST ${create}`, chunked, chunk, 400],
      ['that an operation does not take', `GET ${basePath}/property-management/workspaces`, chunked, chunk, 200],
      ['of a declared length that none takes', `GET ${basePath}/property-management/workspaces`, declared, body, 200],
      [
        'at a page',
        'POST /invitation/none/data/erasure',
        chunked.replace('application/json', 'text/plain'),
        chunk,
        400,
      ],
      ['at a link of no one', 'POST /invitation/none', chunked.replace('application/json', 'text/plain'), chunk, 404],
      ['for no resource', 'PUT /nothing', declared, body, 404],
    ];
    for (const [what, target, rest, piece, status] of floods)
      it(what, async () => {
        const { received, mib } = await flood(`${target} HTTP/1.1\r\n${bearer()}${rest}`, piece);
        expect(received).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(mib).to.be.below(BUFFERED_MIB);
      });

    it('when the caller waits for 100 Continue', async () => {
      const ask = (length: number, token: string) =>
        exchangeHead(
          `POST ${create} HTTP/1.1\r\nHost: api\r\n${token}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
        );
      const token = bearer().replace('Host: api\r\n', '');
      expect(await ask(200_000, token)).to.match(/^HTTP\/1\.1 400 /);
      expect(await ask(200_000, '')).to.match(/^HTTP\/1\.1 401 /);
      expect(await ask(50, token)).to.match(/^HTTP\/1\.1 100 /);
    });

    it('without a token', async () => {
      for (const [rest, piece] of [
        [declared, body],
        [chunked, chunk],
      ] as const) {
        const { received, mib } = await flood(`POST ${create} HTTP/1.1\r\nHost: api\r\n${rest}`, piece);
        expect(received).to.match(/^HTTP\/1\.1 401 /);
        expect(mib).to.be.below(BUFFERED_MIB);
      }
    });
  });
});
