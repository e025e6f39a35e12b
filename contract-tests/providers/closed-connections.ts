/** Prints how many AbortSignals each kind of outbound request leaves behind. A separate process, because searching the heap of a test worker takes seconds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { queryObjects } from 'node:v8';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { boundedFetch } from '../../providers/outbound/bounded-fetch.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

const CONNECTIONS = 20;

const http = createServer((req, res) => {
  req.resume();
  res.setHeader('connection', 'close').end('{}');
});
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const { port } = http.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/`;
const policy = { ...readAddresses({ OUTBOUND_ALLOW: '127.0.0.0/8' }, 'live', []), requireHttps: false };
const outbound = createOutboundHttp(policy);

const ways = {
  'to a webhook': async () => (await outbound.post(url, {}, '{}')).statusCode,
  'to a provider': async () => (await boundedFetch(url, {})).status,
};
const left: Record<string, { statuses: number[]; signals: number }> = {};
for (const [name, ask] of Object.entries(ways)) {
  const held = () => queryObjects(AbortSignal, { format: 'count' });
  const statuses = new Set([await ask()]);
  const before = held();
  for (let asked = 0; asked < CONNECTIONS; asked++) statuses.add(await ask());
  left[name] = { statuses: [...statuses], signals: held() - before };
}
await outbound.close();
http.close();
console.log(JSON.stringify({ connections: CONNECTIONS, left }));
