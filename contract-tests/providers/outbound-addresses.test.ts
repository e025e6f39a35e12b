import { expect } from 'chai';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { LOOPBACK, MALFORMED, NEVER_PUBLIC, ODD_LOOPBACK } from '../../harness/peers/address-vectors.ts';
import { DnsServer } from '../../harness/peers/dns-server.ts';
import { answer, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { watchConnections } from '../../harness/process/watched-connections.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';
import type { OutboundAnswer } from '../../providers/outbound/port.ts';

databases('none');

/** The addresses that names resolve to. A receiver listens on 127.0.0.1, and only allowed requests may reach it. */
const names: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'any.example': ['0.0.0.0'],
  'any6.example': ['::'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'localhost.localdomain.example': ['127.0.0.1'],
  'private.example': ['10.0.0.5'],
  'shared.example': ['100.64.0.1'],
  'metadata.example': ['169.254.169.254'],
  'containers.example': ['169.254.170.2'],
  'wireserver.example': ['168.63.129.16'],
  'alibaba.example': ['100.100.100.200'],
  'metadata6.example': ['fd00:ec2::254'],
  'unique-local.example': ['fd12::1'],
  'link-local.example': ['fe80::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-metadata.example': ['::ffff:169.254.169.254'],
  'compatible.example': ['::127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  '6to4.example': ['2002:7f00:1::1'],
  'multicast.example': ['224.0.0.1'],
  'broadcast.example': ['255.255.255.255'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
  'mixed-other-way.example': ['127.0.0.1', '8.8.8.8'],
  'mixed-families.example': ['8.8.8.8', '::1'],
  'mixed-families-other-way.example': ['2606:4700::1111', '127.0.0.1'],
  'hidden-among-many.example': [...Array.from({ length: 20 }, (_, index) => `8.8.4.${index}`), '169.254.169.254'],
  'alias.example': ['inside.corp.example>10.0.0.5'],
  'alias-of-loopback.example': ['one.example>two.example>127.0.0.1'],
  'alias-of-metadata.example': ['metadata.google.internal>169.254.169.254'],
};

/** No test here waits for these timeouts. On a busy machine, the answers of both families must be seen before a connection is tried. */
const LIMITS = { connectTimeoutMs: 15_000, attemptTimeoutMs: 30_000, resolutionDelayMs: 10_000 };

describe('a connection to a caller’s address', () => {
  let receiver: HostileReceiver;
  let watched: ReturnType<typeof watchConnections>;

  const dns = suiteFixture(() =>
    DnsServer.start((name, asked) => {
      if (name === 'rebinding.example') return asked === 0 ? ['127.0.0.1'] : ['169.254.169.254'];
      if (name === 'wavering.example') return asked % 2 === 0 ? ['127.0.0.1'] : ['::ffff:10.0.0.5'];
      return names[name];
    }),
  );
  before(async () => {
    // Each answer ends its connection, so that each attempt needs a new one.
    receiver = await HostileReceiver.start(answer('200 OK', { connection: 'close' }));
  });
  after(async () => {
    await receiver.stop();
  });
  beforeEach(() => {
    watched = watchConnections();
    receiver.connections = 0;
  });
  afterEach(() => watched.stop());

  const client = (allow = '', mode: 'sandbox' | 'live' = 'live', requireHttps = false) => {
    const policy = { ...readAddresses({ OUTBOUND_ALLOW: allow }, mode, []), requireHttps };
    return createOutboundHttp(policy, { ...LIMITS, dnsServers: [dns.address] });
  };
  const post = async (url: string, outbound = client()): Promise<OutboundAnswer | OutboundError> => {
    try {
      return await outbound.post(url, {}, '{}');
    } catch (error) {
      if (error instanceof OutboundError) return error;
      throw error;
    } finally {
      await outbound.close();
    }
  };
  const refuse = async (url: string, outbound = client()): Promise<string> => {
    const error = await post(url, outbound);
    expect(error, url).to.be.instanceOf(OutboundError).and.include({ kind: 'refused-address' });
    expect(watched.tried, url).to.deep.equal([]);
    expect(receiver.connections, url).to.equal(0);
    return error instanceof OutboundError ? error.message : '';
  };

  for (const [name, leadsTo] of Object.entries(names))
    it(`is refused when a name resolves to ${leadsTo.slice(-2)}`, async () => {
      expect(await refuse(`http://${name}:${receiver.port}/`)).to.match(
        /^refused to connect: \S+ leads to \S+, which is not a public address/,
      );
      await refuse(`https://${name}:${receiver.port}/`);
    });

  it('is refused when the text reveals a host that is not public', async () => {
    const hosts = [...Object.values(NEVER_PUBLIC).flat(), ...LOOPBACK, ...ODD_LOOPBACK];
    await Promise.all(hosts.map((host) => refuse(`http://${host}:${receiver.port}/`)));
    await Promise.all(MALFORMED.map((url) => refuse(url)));
  });

  it('is refused without TLS in live, on every attempt', async () => {
    const outbound = client('127.0.0.1', 'live', true);
    expect(await refuse(receiver.url, outbound)).to.equal('refused to connect: the address must use https.');
  });

  it('is checked when it is made: a name that changes is resolved once and held to its answer', async () => {
    const outbound = client('127.0.0.1');
    const url = `http://rebinding.example:${receiver.port}/`;
    expect(await outbound.post(url, {}, '{}')).to.include({ statusCode: 200 });
    expect(dns.questions.filter((question) => question === 'A rebinding.example')).to.have.length(1);
    expect(watched.tried).to.deep.equal(['127.0.0.1']);
    expect(await post(url, outbound)).to.include({
      kind: 'refused-address',
      message:
        'refused to connect: rebinding.example leads to 169.254.169.254, which is not a public address' +
        ' (operators allow it by its very address in OUTBOUND_ALLOW)',
    });
    expect(watched.tried).to.deep.equal(['127.0.0.1']);
  });

  it('is never made to a forbidden address while a name alternates', async () => {
    const outbound = client('127.0.0.1');
    const url = `http://wavering.example:${receiver.port}/`;
    const kinds = await Promise.all(
      Array.from({ length: 60 }, () => outbound.post(url, {}, '{}').then(String, (error: OutboundError) => error.kind)),
    );
    await outbound.close();
    expect(new Set(kinds)).to.deep.equal(new Set([String({}), 'refused-address']));
    expect(new Set(watched.tried)).to.deep.equal(new Set(['127.0.0.1']));
  });

  it('is allowed to the operator’s allowed networks, and nothing else', async () => {
    const allowed = 'http://loopback.example';
    expect(await post(`${allowed}:${receiver.port}/`, client('127.0.0.0/8'))).to.include({ statusCode: 200 });
    expect(await post(receiver.url, client('127.0.0.1'))).to.include({ statusCode: 200 });
    watched.tried.length = 0;
    receiver.connections = 0;
    await refuse(`${allowed}:${receiver.port}/`, client('10.0.0.0/8'));
    await refuse(`http://metadata.example:${receiver.port}/`, client('0.0.0.0/0 ::/0'));
    await refuse(`http://mixed-families.example:${receiver.port}/`, client('127.0.0.0/8'));
    expect(await refuse('http://private.example/')).to.match(/\(operators allow it with OUTBOUND_ALLOW\)$/);
  });

  it('needs no name server for localhost, which is this machine where that is allowed', async () => {
    const asked = dns.questions.length;
    for (const host of ['localhost', 'hooks.localhost', 'LOCALHOST.'])
      expect(await post(`http://${host}:${receiver.port}/`, client('', 'sandbox'))).to.include({ statusCode: 200 });
    expect(await post(`http://localhost:${receiver.port}/`, client('127.0.0.1'))).to.include({ statusCode: 200 });
    watched.tried.length = 0;
    receiver.connections = 0;
    await refuse(`http://localhost:${receiver.port}/`);
    expect(dns.questions).to.have.length(asked);
  });
});
