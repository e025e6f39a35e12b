/** `npm run worker`: the background jobs alone, for a deployment whose API processes have RUN_WORKERS=false. */
import { fillCompileCache, useCompileCache } from './service/compile-cache.ts';
import { allowSlowHandshakes } from './service/slow-handshakes.ts';

useCompileCache();
allowSlowHandshakes();
const { readConfig } = await import('../core/settings/config.ts');
const { build } = await import('./service/build.ts');
const { run } = await import('./service/run.ts');
const { openOperators, operatorsAddress } = await import('./service/operators.ts');
const { Heartbeat } = await import('../jobs/conditions/heartbeat.ts');
const { loadSettingsFile } = await import('./service/settings-file.ts');
const { stopSteps } = await import('./service/stop-steps.ts');
const { startWork } = await import('./service/work.ts');

await run(async (stopping) => {
  loadSettingsFile();
  const config = readConfig(process.env);
  const parts = await build(config);
  const heartbeat = new Heartbeat(parts.runtime, 'workers');
  const operators = await openOperators(config, parts.runtime, { runsWorkers: true, stopping, heartbeat });
  const stopWorkers = await startWork(config, parts.runtime, operators?.loops);
  heartbeat.start(operatorsAddress(config, operators));
  const { log } = parts.runtime;
  log.info({ pid: process.pid }, 'working');
  fillCompileCache();
  const close = async () => {
    await stopWorkers(stopSteps(config.stop));
    await heartbeat.stop();
    await operators?.settle();
    await parts.close();
    await operators?.close();
  };
  return { close, log, settings: config.stop };
});
