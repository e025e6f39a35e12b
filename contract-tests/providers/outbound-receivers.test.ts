import { type Behaviour, receivers as list, type ScriptedReceiver } from '@tenant-screening/webhook-tools/receivers';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { DnsServer } from '../../harness/peers/dns-server.ts';
import { hostileCases, MEBIBYTE, SHORT, startCase } from '../../harness/peers/hostile-cases.ts';
import { answer, drip, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { memoryGrowth } from '../../harness/peers/posting-process.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';
import type { OutboundAnswer } from '../../providers/outbound/port.ts';

databases('none');

const SANDBOX = { allowLoopback: true, requireHttps: false };
/** A generous bound for a busy machine. Without limits, these attempts last minutes. */
const TOLERANCE_MS = 15_000;
const AT_A_TIME = 6;
const silence: Behaviour = () => {};

interface Outcome {
  is: OutboundAnswer | OutboundError;
  tookMs: number;
  receiver: ScriptedReceiver;
}

describe('a caller’s endpoint', () => {
  const zone = (name: string) => (name === 'empty.example' ? [] : name === 'hanging.example' ? null : undefined);
  const outcomes = new Map<string, Outcome>();
  let unhurried: Promise<Omit<Outcome, 'receiver'>[]>;
  const receivers: ScriptedReceiver[] = [];

  const receive = async (behaviour: Behaviour, options = {}) => {
    const receiver = await HostileReceiver.start(behaviour, options);
    receivers.push(receiver);
    return receiver;
  };
  const timed = async (limits: Partial<typeof SHORT>, url: string): Promise<Omit<Outcome, 'receiver'>> => {
    const outbound = createOutboundHttp(SANDBOX, { ...limits, dnsServers: [dns.address] });
    const startedAt = performance.now();
    const is = await outbound.post(url, { 'user-agent': 'test' }, '{"a":1}').catch((error: unknown) => {
      if (error instanceof OutboundError) return error;
      throw error;
    });
    const tookMs = performance.now() - startedAt;
    await outbound.close();
    return { is, tookMs };
  };

  const dns = suiteFixture(() => DnsServer.start(zone));
  before(async () => {
    const silent = await receive(silence);
    const dripping = await receive(drip('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n', 'drip', 50));
    const urls = [silent.url, silent.url.replace('http:', 'https:'), 'http://hanging.example/', dripping.url];
    // The default limits are slow, so the other cases run meanwhile.
    unhurried = Promise.all(urls.map((url) => timed({}, url)));
    // A few at a time, because flooding receivers share this process and would delay the others.
    const cases = Object.entries(hostileCases);
    while (cases.length > 0)
      await Promise.all(
        cases.splice(0, AT_A_TIME).map(async ([title, given]) => {
          const { server: receiver, url } = await startCase(given);
          receivers.push(receiver);
          outcomes.set(title, { ...(await timed(SHORT, url)), receiver });
        }),
      );
  });
  after(async () => {
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  for (const { name, does, expected } of list)
    it(`that ${does} (${name}) has the published outcome: ${expected.outcome}`, () => {
      const { is, receiver } = outcomes.get(does) ?? expect.fail();
      const isDelivered = 'statusCode' in is && is.statusCode >= 200 && is.statusCode < 300;
      expect(isDelivered ? 'delivered' : 'retry').to.equal(expected.outcome);
      if (expected.shows !== undefined) expect('hint' in is && is.hint).to.match(new RegExp(`^${expected.shows}: `));
      if (expected.seesNothing) expect(receiver.requests).to.deep.equal([]);
    });

  for (const [title, { expected, limitMs = SHORT.attemptTimeoutMs }] of Object.entries(hostileCases))
    it(`that ${title} is reported as ${JSON.stringify(expected).slice(0, 80)}, in time`, () => {
      const { is, tookMs } = outcomes.get(title) ?? expect.fail();
      if ('kind' in expected) expect(is).to.be.instanceOf(OutboundError);
      expect(is).to.include(expected);
      expect(tookMs).to.be.below(limitMs + TOLERANCE_MS);
    });

  it('is called once, whatever it does', () => {
    for (const [title, { receiver }] of outcomes) {
      expect(receiver.connections, title).to.be.at.most(1);
      expect(receiver.requests.length, title).to.be.at.most(1);
    }
  });

  it('is read only a little, whatever it sends', async () => {
    for (const title of Object.keys(hostileCases)) {
      const { receiver } = outcomes.get(title) ?? expect.fail();
      await Promise.all(receiver.closed);
      // Plus what the kernel's buffers took.
      expect(receiver.sentBytes, title).to.be.below(20 * MEBIBYTE);
    }
  });

  it('may listen on a closed port', async () => {
    const receiver = await HostileReceiver.start(silence);
    await receiver.stop();
    const { is } = await timed(SHORT, receiver.url);
    expect(is).to.include({ kind: 'connect', message: 'connection refused' });
  });

  it('is not redirected elsewhere', async () => {
    const other = await receive(answer('200 OK'));
    for (const line of ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent']) {
      const receiver = await receive(answer(line, { location: other.url }));
      const { is } = await timed(SHORT, receiver.url);
      expect(is).to.include({ statusCode: Number(line.slice(0, 3)), hint: `Location: ${other.url}` });
    }
    expect(other.connections).to.equal(0);
  });

  it('is quoted with the header that explains its refusal, on one line and cut', async () => {
    const hintOf = async (line: string, headers: Record<string, string>) => {
      const receiver = await receive(answer(line, headers));
      const { is } = await timed(SHORT, receiver.url);
      return 'hint' in is ? is.hint : expect.fail(String(is));
    };
    expect(await hintOf('405 Method Not Allowed', { allow: 'GET, HEAD' })).to.equal('Allow: GET, HEAD');
    expect(await hintOf('401 Unauthorized', { 'www-authenticate': 'Basic realm="a"' })).to.equal(
      'WWW-Authenticate: Basic realm="a"',
    );
    expect(await hintOf('426 Upgrade Required', { upgrade: 'h2c' })).to.equal('Upgrade: h2c');
    expect(await hintOf('302 Found', { location: `/${'x'.repeat(5000)}` })).to.have.length(300 + 'Location: '.length);
    expect(await hintOf('302 Found', { location: '/a\u009b31mb' })).to.equal('Location: /a31mb');
    expect(await hintOf('308 Permanent', {})).to.equal(undefined);
    expect(await hintOf('200 OK', { location: '/made' })).to.equal(undefined);
  });

  it('costs no memory, whatever it sends', async () => {
    const large = [
      'answers 200 and a body of 300 MB',
      'answers 200 and chunks without end',
      'answers 200 and a gzip bomb of 100 MiB',
      'answers 200 with an enormous header',
      'answers 200 with headers without end',
      'sends interim answers without end',
    ];
    const { receiver: friendly } = outcomes.get('answers 200') ?? expect.fail();
    const urls = large.map((title) => outcomes.get(title)?.receiver.url ?? expect.fail());
    expect(await memoryGrowth(friendly.url, urls)).to.be.below(20 * MEBIBYTE);
  });

  it('has 5 s to connect and 15 s in all, one of them for its body', async () => {
    const [whole, connecting, naming, body] = await unhurried;
    expect(whole?.is).to.include({ kind: 'timeout', message: 'no answer within 15 s' });
    expect(whole?.tookMs).to.be.within(14_900, 30_000);
    expect(connecting?.is).to.include({ kind: 'timeout', message: 'no connection within 5 s' });
    expect(connecting?.tookMs).to.be.within(4_900, 14_000);
    expect(naming?.is).to.include({ kind: 'dns', message: 'no name server answered for hanging.example in time' });
    expect(naming?.tookMs).to.be.below(14_000);
    expect(body?.is).to.include({ statusCode: 200 });
    expect(body?.tookMs, 'where nothing but the limit of a body ends it before 15 s').to.be.below(14_000);
  });
});
