/** A server in its own process, bare `node:http` or the service. It tells the CPU time it has spent, in microseconds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from '../../bin/service/service.ts';
import { readConfig } from '../../core/settings/config.ts';

const message = 'Send an access token as Authorization: Bearer <ACCESS_TOKEN>.';
const BODY = JSON.stringify({ status: 'error', message });
/** As much as the service writes. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': '00000000-0000-4000-8000-000000000000',
  'WWW-Authenticate': 'Bearer realm="api"',
  'Content-Type': 'application/json',
  'Content-Length': BODY.length,
};

async function startBare(): Promise<string> {
  const server = createServer((_req, res) => {
    res.writeHead(401, HEADERS);
    res.end(BODY);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const url = process.argv[2] === 'bare' ? await startBare() : (await startService(readConfig(process.env))).url;
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('disconnect', () => process.exit());
process.send?.(url);
