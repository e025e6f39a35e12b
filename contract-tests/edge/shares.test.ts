import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { isProxy, partyOfAddress } from '../../core/addresses/client-address.ts';
import { readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import { type TestService, useService } from '../../harness/service/service.ts';

databases('either');

const LIMIT = 40;
const SHARE = LIMIT / 10;
// Loopback addresses that the harness does not use.
const [CROWD, OTHER] = ['127.0.0.2', '127.0.0.3'];

/** Opens idle connections, one after the other. @returns those that are open */
function useConnections(test: TestService) {
  const open = new Set<Socket>();
  afterEach(() => {
    for (const socket of open) socket.destroy();
  });
  /** @returns whether the service answers on it */
  const isServed = (localAddress: string): Promise<boolean> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(test.service.url);
      const socket = connect({ host: hostname, port: Number(port), localAddress });
      open.add(socket);
      socket.on('error', () => {}).once('close', () => open.delete(socket));
      socket.once('close', () => resolve(false)).once('data', () => resolve(true));
      socket.write('GET /nothing HTTP/1.1\r\nHost: api\r\n\r\n');
    });
  const served = async (localAddress: string, count: number) => {
    let answers = 0;
    for (let number = 0; number < count; number++) if (await isServed(localAddress)) answers += 1;
    return answers;
  };
  return { open, served };
}

describe('the connections of one address', () => {
  const test = useService({ HTTP_CONNECTIONS: String(LIMIT), RUN_WORKERS: 'false' });
  const { open, served } = useConnections(test);

  it('are at most a tenth of all, which leaves the others to other addresses', async () => {
    expect(await served(CROWD, 2 * LIMIT)).to.equal(SHARE);
    expect(await served(OTHER, 2 * LIMIT)).to.equal(SHARE);
  });

  it('may be opened again once earlier ones are closed', async () => {
    expect(await served(CROWD, SHARE + 1)).to.equal(SHARE);
    for (const socket of open) socket.destroy();
    await until('one is served again', async () => (await served(CROWD, 1)) === 1);
  });
});

describe('the connections of a trusted proxy', () => {
  const test = useService({ HTTP_CONNECTIONS: String(LIMIT), TRUSTED_PROXIES: CROWD, RUN_WORKERS: 'false' });
  const { served } = useConnections(test);

  it('are as many as the service accepts, because they carry many callers', async () => {
    expect(await served(CROWD, 2 * SHARE)).to.equal(2 * SHARE);
    expect(await served(OTHER, 2 * SHARE)).to.equal(SHARE);
  });
});

describe('one caller', () => {
  it('is an IPv4 address, or the /64 of an IPv6 address', () => {
    const caller = (address: string) => partyOfAddress(address).name;
    expect(caller('2001:db8:1:2:3::4')).to.equal(caller('2001:db8:1:2:ffff::9'));
    expect(caller('2001:db8:1:2::4')).to.not.equal(caller('2001:db8:1:3::4'));
    expect(caller('fe80::1%eth0')).to.equal(caller('fe80::2%eth1'));
    expect(caller('::ffff:192.0.2.1')).to.equal(caller('192.0.2.1'));
    expect(caller('192.0.2.1')).to.not.equal(caller('192.0.2.2'));
  });

  it('is no trusted proxy, however its address is written', () => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8 fd00::/8' });
    for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'])
      expect(isProxy(proxy, trustedProxies), proxy).to.equal(true);
    for (const caller of ['11.1.2.3', '2001:db8::1', '']) expect(isProxy(caller, trustedProxies)).to.equal(false);
    expect(isProxy('10.1.2.3', [])).to.equal(false);
  });
});
