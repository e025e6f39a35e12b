import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { queryObjects } from 'node:v8';
import { expect } from 'chai';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { boundedFetch } from '../../providers/outbound/bounded-fetch.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

databases('none');

const CONNECTIONS = 20;

/** Years of deliveries open millions of connections. */
describe('a connection that has been closed', () => {
  const server = suiteFixture(async () => {
    const http = createServer((req, res) => {
      req.resume();
      res.setHeader('connection', 'close').end('{}');
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, stop: async () => void http.close() };
  });
  const outbound = suiteFixture(async () => {
    const policy = { ...readAddresses({ OUTBOUND_ALLOW: '127.0.0.0/8' }, 'live', []), requireHttps: false };
    const client = createOutboundHttp(policy);
    return { post: client.post, stop: () => client.close() };
  });

  const ways = {
    'to a webhook': async () => (await outbound.post(server.url, {}, '{}')).statusCode,
    'to a provider': async () => (await boundedFetch(server.url, {})).status,
  };
  for (const [name, ask] of Object.entries(ways))
    it(`leaves no signal behind: ${name}`, async () => {
      const held = () => queryObjects(AbortSignal, { format: 'count' });
      expect(await ask()).to.equal(200);
      const before = held();
      for (let asked = 0; asked < CONNECTIONS; asked++) expect(await ask()).to.equal(200);
      expect(held() - before).to.be.below(CONNECTIONS / 2);
    });
});
