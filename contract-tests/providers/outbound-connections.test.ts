import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, testFixture } from '../../harness/mocha/fixtures.ts';
import { DnsServer } from '../../harness/peers/dns-server.ts';
import { answer, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { SlowHandshake } from '../../harness/peers/slow-handshake.ts';
import { boundedFetch } from '../../providers/outbound/bounded-fetch.ts';
import { connectToFirst } from '../../providers/outbound/happy-eyeballs.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

databases('none');

/** 192.0.2.0/24 and 2001:db8::/32 are for documentation: nothing answers there. */
const names: Record<string, string[]> = {
  'one-address.example': ['127.0.0.2'],
  'two-addresses.example': ['127.0.0.2', '127.0.0.3'],
  'four-addresses.example': ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'],
  'refused-first.example': ['127.0.0.9', '127.0.0.1'],
  'silent-first.example': ['127.0.0.2', '127.0.0.3'],
};

/** Without a second address family in time, a name would take four fifths of this. */
const PATIENT = { connectTimeoutMs: 60_000, attemptTimeoutMs: 120_000 };
const HURRIED_MS = 30_000;

describe('a connection to a host with several addresses', () => {
  const dns = suiteFixture(() =>
    DnsServer.start((name, _asked, type) => {
      if (name === 'no-aaaa.example') return type === 'AAAA' ? null : ['127.0.0.1'];
      if (name === 'no-a.example') return type === 'A' ? null : ['::1'];
      return names[name];
    }),
  );
  const slow = testFixture(() => SlowHandshake.start());
  const client = (limits = {}) => {
    const policy = { ...readAddresses({ OUTBOUND_ALLOW: '127.0.0.0/8 ::1' }, 'live', []), requireHttps: false };
    return createOutboundHttp(policy, { ...limits, dnsServers: [dns.address] });
  };
  const post = async (url: string, limits = {}) => {
    const outbound = client(limits);
    const startedAt = performance.now();
    const { statusCode } = await outbound.post(url, {}, '{}');
    await outbound.close();
    return { statusCode, tookMs: performance.now() - startedAt };
  };

  for (const name of ['one-address', 'two-addresses', 'four-addresses'])
    it(`is made within the connect timeout, however slow the handshake: ${name}`, async () => {
      expect(await post(`http://${name}.example:${slow.port}/`)).to.include({ statusCode: 200 });
    });

  it('is made by provider clients, too', async () => {
    const socket = await connectToFirst(['127.0.0.2', '127.0.0.3'], slow.port, AbortSignal.timeout(10_000));
    expect(socket.remotePort).to.equal(slow.port);
    socket.destroy();
    const answered = await boundedFetch(`http://localhost:${slow.port}/`, { signal: AbortSignal.timeout(10_000) });
    expect(answered.status).to.equal(200);
  });

  it('goes to another address beside one that never answers, within the connect timeout', async () => {
    const silent = await SlowHandshake.start({ host: '127.0.0.2', busyMs: 120_000 });
    const receiver = await HostileReceiver.start(answer('200 OK'), { host: '127.0.0.3', port: silent.port });
    expect(await post(`http://silent-first.example:${silent.port}/`)).to.include({ statusCode: 200 });
    await Promise.all([receiver.stop(), silent.stop()]);
  });

  it('goes to the next address as soon as one refuses', async () => {
    const receiver = await HostileReceiver.start(answer('200 OK'));
    const { statusCode, tookMs } = await post(`http://refused-first.example:${receiver.port}/`, PATIENT);
    await receiver.stop();
    expect(statusCode).to.equal(200);
    expect(tookMs).to.be.below(HURRIED_MS);
  });

  it('does not wait for name servers that never answer for one of the families', async () => {
    const receiver = await HostileReceiver.start(answer('200 OK'));
    const sixth = await HostileReceiver.start(answer('200 OK'), { host: '::1' });
    for (const url of [`http://no-aaaa.example:${receiver.port}/`, `http://no-a.example:${sixth.port}/`]) {
      const { statusCode, tookMs } = await post(url, PATIENT);
      expect(statusCode).to.equal(200);
      expect(tookMs, url).to.be.below(HURRIED_MS);
    }
    await Promise.all([receiver.stop(), sixth.stop()]);
  });
});

describe('with NODE_USE_ENV_PROXY=1 and HTTP(S)_PROXY', () => {
  let proxy: Server;
  const tunnelled: string[] = [];
  const environment = { ...process.env };
  const dns = suiteFixture(() => DnsServer.start((name) => (name === 'inside.example' ? ['10.0.0.5'] : ['127.0.0.2'])));
  before(async () => {
    proxy = createServer();
    proxy.on('connect', ({ url, headers }, socket) => {
      tunnelled.push(`${url} ${headers['proxy-authorization']}`);
      // It plays the endpoint, too.
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.once('data', () => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const url = `http://agent:s%40fe@127.0.0.1:${port}`;
    Object.assign(process.env, {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      NO_PROXY: 'direct.example',
    });
  });
  after(async () => {
    for (const name of ['NODE_USE_ENV_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    await new Promise((resolve) => proxy.close(resolve));
  });
  beforeEach(() => {
    tunnelled.length = 0;
  });
  const outbound = testFixture(async () => {
    const policy = { ...readAddresses({ OUTBOUND_ALLOW: '127.0.0.0/8' }, 'live', []), requireHttps: false };
    const made = createOutboundHttp(policy, { dnsServers: [dns.address] });
    return Object.assign(made, { stop: () => made.close() });
  });
  const credentials = `Basic ${Buffer.from('agent:s@fe').toString('base64')}`;

  it('deliveries go through the proxy, to the address that was checked', async () => {
    expect(await outbound.post('http://hook.example:8080/h', {}, '{}')).to.include({ statusCode: 202 });
    expect(tunnelled).to.deep.equal([`127.0.0.2:8080 ${credentials}`]);
  });

  it('deliveries to addresses that are not public are refused as without a proxy', async () => {
    const error = await outbound.post('http://inside.example/h', {}, '{}').catch((failure: unknown) => failure);
    expect(error).to.include({ kind: 'refused-address' });
    expect(tunnelled).to.deep.equal([]);
  });

  it('hosts in NO_PROXY and loopback are reached directly', async () => {
    const receiver = await HostileReceiver.start(answer('200 OK'), { host: '0.0.0.0' });
    for (const host of ['direct.example', 'localhost', '127.0.0.1'])
      expect(await outbound.post(`http://${host}:${receiver.port}/`, {}, '{}')).to.include({ statusCode: 200 });
    await receiver.stop();
    expect(tunnelled).to.deep.equal([]);
  });

  it('identity providers are asked through the proxy, too', async () => {
    const asked = await boundedFetch('http://127.0.0.7:8080/x', { signal: AbortSignal.timeout(10_000) });
    expect(asked.status).to.equal(202);
    expect(tunnelled).to.deep.equal([`127.0.0.7:8080 ${credentials}`]);
  });
});
