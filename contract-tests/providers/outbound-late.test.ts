import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { authority, trust } from '../../harness/peers/certificates.ts';
import { answer, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

databases('none');

describe('the outbound client', () => {
  it('sends nothing over a connection that is established after the attempt timed out', async () => {
    const trusted = await authority('Late');
    const distrust = trust(trusted);
    const requests: string[] = [];
    const tls = createTlsServer(await trusted.issue({}), (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => requests.push(String(chunk)));
    });
    tls.on('tlsClientError', () => {});
    for (const lateBy of [20, 100, 200, 300, 400]) {
      const server = createServer({ pauseOnConnect: true }, async (socket) => {
        socket.on('error', () => {});
        await setTimeout(1500 + lateBy);
        tls.emit('connection', socket);
        socket.resume();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: true }, { connectTimeoutMs: 1500 });
      const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
      const error = await outbound.post(url, {}, '{}').catch((reason: unknown) => reason);
      expect(String(error)).to.include('no connection within 1.5 s');
      await setTimeout(1000);
      await outbound.close();
      server.close();
    }
    distrust();
    expect(requests).to.deep.equal([]);
  });

  it('keeps an idle connection no longer than the server would', async () => {
    const receiver = await HostileReceiver.start(answer('200 OK', { 'keep-alive': 'timeout=600' }));
    const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: false });
    await outbound.post(receiver.url, {}, '{}');
    const isOpen = setTimeout(60_000, undefined, { ref: false }).then(() => expect.fail('It is still open.'));
    await Promise.race([receiver.closed[0], isOpen]);
    await outbound.close();
    await receiver.stop();
  });

  it('limits the whole attempt, including the body of a late response', async () => {
    const attempt = async (answeredAfterMs: number, attemptTimeoutMs: number) => {
      const receiver = await HostileReceiver.start(async (socket) => {
        await setTimeout(answeredAfterMs);
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n');
      });
      const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: false }, { attemptTimeoutMs });
      expect(await outbound.post(receiver.url, {}, '{}')).to.include({ statusCode: 200 });
      ended.push(attemptTimeoutMs);
      await outbound.close();
      await receiver.stop();
    };
    const ended: number[] = [];
    // A body has one second. The attempt limit leaves the later answer half of it, so it ends first.
    await Promise.all([attempt(3200, 60_000), attempt(3500, 4000)]);
    expect(ended).to.deep.equal([4000, 60_000]);
  });
});
