import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { clientAddress } from '../../core/addresses/client-address.ts';
import { readTrustedProxies } from '../../core/settings/address-settings.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { basicOf, send } from '../../harness/service/client.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

const PATH = `${basePath}/authenticate/token`;
const CALLER = '203.0.113.9';
const PROXY = '198.51.100.7';

interface Login {
  msg: string;
  client_id?: string;
  address?: string;
  level: string;
  api_key_id?: string;
}

describe('a failed login', () => {
  const direct = suiteFixture(() => startLoggedService());
  const proxied = suiteFixture(() => startLoggedService({ TRUSTED_PROXIES: `127.0.0.1, ${PROXY}/32` }));
  let nth = 0;

  /** Logs in. Returns the log lines other than the request's. */
  const login = async (logged: typeof direct, clientId: string, headers: Record<string, string> = {}) => {
    const id = `login-${++nth}`;
    const authorization = `Basic ${basicOf(clientId, 'wrong')}`;
    const answer = await send(logged.client.url, 'POST', PATH, { authorization, 'x-request-id': id, ...headers });
    const lines = () => logged.lines().filter(({ correlation_id }) => correlation_id === id);
    await eventually('the request was logged', () => lines().some(({ msg }) => msg === 'request'));
    const logins: Login[] = lines().filter(({ msg }) => msg !== 'request');
    return { answer, logins };
  };
  const addressOf = async (logged: typeof direct, forwarded?: string) => {
    const { logins } = await login(logged, 'somebody', forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
    return logins[0]?.address;
  };

  it('is logged once, with the attempted client_id and the caller’s address, and never with the secret', async () => {
    const { answer, logins } = await login(direct, direct.client.clientId);
    expect(answer.status).to.equal(401);
    expect(logins).to.have.length(1);
    const expected = { msg: 'login failed', level: 'warn', client_id: direct.client.clientId, address: '127.0.0.1' };
    expect(logins[0]).to.include(expected);
    expect(direct.text()).to.not.include('wrong').and.not.include(basicOf(direct.client.clientId, 'wrong'));
  });

  it('shows any client_id as printable ASCII truncated to 64, and never a secret sent in its place', async () => {
    const idOf = async (clientId: string) => (await login(direct, clientId)).logins[0]?.client_id;
    expect(await idOf('')).to.equal('');
    expect(await idOf('a"b\\c\n{"msg":"login"}')).to.equal('a"b\\u005cc\\u000a{"msg"');
    expect(await idOf('\u001b[2J\u202eñ\u2028\u0000')).to.equal('\\u001b[2J\\u202e\\u00f1\\u2028\\u0000');
    expect(await idOf('x'.repeat(10_000))).to.equal(`${'x'.repeat(64)}...`);
    expect(await idOf(direct.client.clientSecret)).to.equal('sandbox_(a secret)');
    for (const around of [' ', '\n', '"', '\ufeff', 'client_secret=', '%20', 'client_secret%3D'])
      expect(await idOf(around + direct.client.clientSecret)).to.equal('sandbox_(a secret)');
    expect(direct.text()).to.not.include(direct.client.clientSecret);
    for (const line of direct.text().split('\n')) expect(line).to.match(/^[\x20-\x7e]*$/);
  });

  it('is not logged without credentials; a successful login’s log has the key’s id', async () => {
    await send(direct.client.url, 'POST', PATH, { 'x-request-id': 'nothing' });
    await direct.client.authenticate();
    await direct.client.ok('listWorkspaces');
    const lines = (): (Login & { operation?: string; status?: unknown; correlation_id?: string })[] => direct.lines();
    const row = await direct.service.runtime.db('api_keys').first('id');
    for (const operation of ['generateToken', 'listWorkspaces'])
      await eventually(`${operation} was logged with its key`, () =>
        lines().some((line) => line.operation === operation && line.status === 200 && line.api_key_id === row?.id),
      );
    const others = lines().filter(({ status, msg }) => msg === 'request' && status === 401);
    expect(others.length).to.be.above(0);
    for (const line of others) expect(line).to.not.have.property('api_key_id');
    expect(lines().filter(({ correlation_id }) => correlation_id === 'nothing')).to.have.length(1);
  });

  it('has the connection’s address, whatever the headers say, when no proxy is trusted', async () => {
    for (const forwarded of [CALLER, `${CALLER}, ${PROXY}`, '', 'unknown'])
      expect(await addressOf(direct, forwarded)).to.equal('127.0.0.1');
    const { logins } = await login(direct, 'somebody', { forwarded: `for=${CALLER}`, 'x-real-ip': CALLER });
    expect(logins[0]?.address).to.equal('127.0.0.1');
  });

  it('has the address reported by trusted proxies: the last one that is not theirs, regardless of earlier ones', async () => {
    expect(await addressOf(proxied)).to.equal('127.0.0.1');
    for (const forwarded of [
      CALLER,
      ` ${CALLER} `,
      `${CALLER}, ${PROXY}`,
      `${CALLER},${PROXY}, 127.0.0.1`,
      `10.9.9.9, ${CALLER}`,
      `127.0.0.1, 10.9.9.9, ${CALLER}, ${PROXY}`,
      `${PROXY}, ${CALLER}`,
      `<script>, ${CALLER}`,
      `${CALLER}:4711`,
      `::ffff:${CALLER}`,
    ])
      expect(await addressOf(proxied, forwarded), forwarded).to.equal(CALLER);
    expect(await addressOf(proxied, '[2001:db8::1]:4711')).to.equal('2001:db8::1');
    expect(await addressOf(proxied, '2001:0DB8::0001')).to.equal('2001:db8::1');
    // The last trusted hop reported a value that is not an address.
    for (const nonsense of [
      'unknown',
      '_hidden',
      '1.2.3',
      '999.1.1.1',
      '0x7f.1',
      'fe80::1%eth0',
      '"',
      '::10.0.0.5',
      '',
    ])
      expect(await addressOf(proxied, `${CALLER}, ${nonsense}, ${PROXY}`), nonsense).to.equal(PROXY);
  });

  it('reads several headers as one list, in order', async () => {
    const { hostname, port } = new URL(proxied.client.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      'X-Request-Id: several',
      'X-Forwarded-For: 10.9.9.9',
      `X-Forwarded-For: ${CALLER}`,
      `X-Forwarded-For: ${PROXY}`,
      `Authorization: Basic ${basicOf('somebody', 'wrong')}`,
      'Content-Length: 0',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).to.include('401');
    const found = (): Login | undefined =>
      proxied.lines().find(({ correlation_id, msg }) => correlation_id === 'several' && msg === 'login failed');
    await eventually('it was logged', () => found() !== undefined);
    expect(found()?.address).to.equal(CALLER);
  });
});

describe('TRUSTED_PROXIES', () => {
  const faultsOf = (list: string) => {
    const faults: string[] = [];
    readTrustedProxies({ TRUSTED_PROXIES: list }, faults);
    return faults;
  };

  it('accepts addresses and networks, and names invalid entries', () => {
    expect(faultsOf('')).to.deep.equal([]);
    expect(faultsOf('127.0.0.1, 10.0.0.0/8 ::1\nfd00::/8')).to.deep.equal([]);
    for (const list of ['loopback', '10.0.0.1/8', '*', 'proxy.example', '10.0.0.0/33'])
      expect(faultsOf(list)[0], list).to.match(/^TRUSTED_PROXIES has ".+"; use networks such as/);
  });

  it('compares IPv6 and IPv4-mapped addresses with their own kind', () => {
    const trusted = readTrustedProxies({ TRUSTED_PROXIES: 'fd00::/8 10.0.0.0/8' }, []);
    const of = (remoteAddress: string) =>
      clientAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': CALLER } }, trusted);
    for (const proxy of ['fd00::5', '10.1.2.3', '::ffff:10.1.2.3']) expect(of(proxy), proxy).to.equal(CALLER);
    expect(of('fe80::1%eth0'), 'a neighbour on the link').to.equal('fe80::1');
    for (const other of ['fe80::1', '11.0.0.1', '::ffff:11.0.0.1'])
      expect(of(other), other).to.equal(other.replace('::ffff:', ''));
  });
});
