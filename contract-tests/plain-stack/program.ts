/** The plain stack in its own process, so that the service's edge cannot affect the packages. */
import type { AddressInfo } from 'node:net';
import { build } from '../../bin/service/build.ts';
import { readConfig } from '../../core/settings/config.ts';
import { rememberingLog } from '../../harness/process/failures.ts';
import { createApiServer } from '../../http/edge/server.ts';
import { createPlainApp } from './app.ts';
import { plainDatabase } from './database.ts';

let now = new Date();
const config = readConfig(process.env);
const log = rememberingLog();
const parts = await build(config, { now: () => now, log });
const runtime = { ...parts.runtime, db: plainDatabase(config.database) };
const server = createApiServer(await createPlainApp(runtime), log);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  parts.setPublicUrl(url);
  process.send?.(url);
});

process.on('message', (moment: string) => {
  now = new Date(moment);
  process.send?.(moment);
});
process.once('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await runtime.db.destroy();
  await parts.close();
});
