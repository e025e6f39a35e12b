import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { answer, drip, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';
import type { OutboundHttp } from '../../providers/outbound/port.ts';

databases('none');

const SANDBOX = { allowLoopback: true, requireHttps: false };
const OK = 'HTTP/1.1 200 OK\r\n';

describe('the outbound client', () => {
  let outbound: OutboundHttp;
  const receivers: HostileReceiver[] = [];
  beforeEach(() => {
    outbound = createOutboundHttp(SANDBOX);
  });
  afterEach(async () => {
    await outbound.close();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });

  const receive = async (behaviour: Parameters<typeof HostileReceiver.start>[0]) => {
    const receiver = await HostileReceiver.start(behaviour);
    receivers.push(receiver);
    return receiver;
  };
  const excerpt = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { url } = await receive(answer('200 OK', headers, body));
    return (await outbound.post(url, {}, '{}')).excerpt;
  };

  it('sends the exact bytes and headers, and requests an uncompressed response', async () => {
    const receiver = await receive(answer('204 No Content'));
    await outbound.post(`${receiver.url}?a=%20b#c`, { 'user-agent': 'me', 'webhook-id': 'x' }, '{"n":"ñ🏠"}');
    const [head, body] = receiver.requests[0]?.split('\r\n\r\n') ?? [];
    expect(Buffer.from(body ?? '', 'latin1').toString()).to.equal('{"n":"ñ🏠"}');
    expect(head?.split('\r\n')).to.have.members([
      'POST /hook?a=%20b HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'connection: keep-alive',
      'user-agent: me',
      'webhook-id: x',
      'accept-encoding: identity',
      'content-length: 14',
    ]);
  });

  it('keeps a connection after a small response, closes one with a long body, and closes an idle one', async () => {
    const receiver = await receive(answer('200 OK', {}, 'fine'));
    for (let time = 0; time < 20; time++) await outbound.post(receiver.url, {}, '{}');
    // undici waits a moment before it reuses a connection.
    expect(receiver.connections).to.be.at.most(2);
    const long = await receive(answer('200 OK', {}, 'x'.repeat(100_000)));
    for (let time = 0; time < 3; time++) await outbound.post(long.url, {}, '{}');
    expect(long.connections).to.equal(3);
    await Promise.all([...receiver.closed, ...long.closed]);
  });

  it('closes the connection when the attempt times out', async () => {
    // Long enough for an answer on a busy machine.
    const hurried = createOutboundHttp(SANDBOX, { connectTimeoutMs: 1500, attemptTimeoutMs: 3000 });
    const silent = await receive(() => {});
    const endless = await receive(drip(`${OK}content-length: 5000\r\n\r\n`, 'drip', 20));
    expect(await hurried.post(silent.url, {}, '{}').catch(({ kind }) => kind)).to.equal('timeout');
    expect(await hurried.post(endless.url, {}, '{}')).to.include({ statusCode: 200 });
    await hurried.post(silent.url.replace('http:', 'https:'), {}, '{}').catch(() => {});
    expect(silent.connections).to.equal(2);
    await Promise.all([...silent.closed, ...endless.closed]);
    await hurried.close();
  });

  it('is not blocked by endpoints: many that hang leave room for the next', async () => {
    const receiver = await receive((socket, request) => {
      if (request.startsWith('POST /answer')) socket.write(`${OK}content-length: 0\r\n\r\n`);
    });
    const hanging = Array.from({ length: 64 }, () => outbound.post(receiver.url, {}, '{}').catch(() => {}));
    await eventually('all of them wait', () => receiver.requests.length === 64);
    expect(await outbound.post(receiver.url.replace('/hook', '/answer'), {}, '{}')).to.include({ statusCode: 200 });
    await outbound.close();
    await Promise.all(hanging);
  });

  it('reports a local failure when it is closed midway', async () => {
    const receiver = await receive(() => {});
    const outcome = outbound.post(receiver.url, {}, '{}').catch((error: unknown) => error);
    await eventually('the request has arrived', () => receiver.requests.length === 1);
    await outbound.close();
    expect(await outcome).to.include({ kind: 'ours', message: 'the service was stopping' });
    const after = await outbound.post(receiver.url, {}, '{}').catch((error: unknown) => error);
    expect(after).to.include({ kind: 'ours' });
  });

  it('returns the beginning of a response as one line that is safe for terminals and databases', async () => {
    expect(await excerpt('')).to.equal('');
    expect(await excerpt('{"error": "ñ🏠"}')).to.equal('{"error": "ñ🏠"}');
    expect(await excerpt('a\u0000b\u001b[31mc\u0007\r\nd\te\u0085\u009bf\u202eg')).to.equal('ab[31mc d efg');
    expect(await excerpt(Buffer.from([0x61, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x62]))).to.match(/^a\ufffd+b$/);
  });

  it('truncates a response after 1 KiB, between two characters', async () => {
    expect(await excerpt('x'.repeat(5000))).to.equal('x'.repeat(1024));
    expect(await excerpt(`x${'ñ'.repeat(600)}`)).to.equal(`x${'ñ'.repeat(511)}`);
    expect(await excerpt(`xy${'🏠'.repeat(600)}`)).to.equal(`xy${'🏠'.repeat(255)}`);
  });

  it('shows the encoding of an encoded response instead of its bytes', async () => {
    expect(await excerpt('bytes', { 'content-encoding': 'br' })).to.equal('(not shown: encoded as br)');
    expect(await excerpt('bytes', { 'content-encoding': 'gzip, \u009b<x>' })).to.equal(
      '(not shown: encoded as gzip, x)',
    );
    expect(await excerpt('bytes', { 'content-encoding': 'identity' })).to.equal('bytes');
    expect(await excerpt('', { 'content-encoding': 'gzip' })).to.equal('');
  });
});
