/** `npm run worker`: the background jobs alone, for a deployment whose API processes have RUN_WORKERS=false. */
import { readConfig } from '../core/config.ts';
import { build } from './build.ts';
import { run } from './run.ts';
import { startWorkers } from './work.ts';

await run(async () => {
  const parts = await build(readConfig(process.env));
  const stopWorkers = await startWorkers(parts.runtime);
  const { log } = parts.runtime;
  log.info({ pid: process.pid }, 'working');
  const close = async () => {
    await stopWorkers();
    await parts.close();
  };
  return { close, log };
});
