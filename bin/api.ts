/** `npm start`: the API and, unless RUN_WORKERS=false, the background jobs in the same process. */
import { readConfig } from '../core/config.ts';
import { provideDemo } from './demo-data.ts';
import { run } from './run.ts';
import { startService } from './service.ts';
import { welcome } from './welcome.ts';

await run(async () => {
  const config = readConfig(process.env);
  const service = await startService(config);
  const { log } = service.runtime;
  if (config.mode === 'sandbox') {
    const demo = await provideDemo(service.runtime, config, service.url);
    if (process.stdout.isTTY || config.logLevel !== 'silent') console.log(welcome(service.url, config, demo));
  }
  log.info({ url: service.url, mode: config.mode, database: config.database.dialect, pid: process.pid }, 'listening');
  return { close: service.close, log };
});
