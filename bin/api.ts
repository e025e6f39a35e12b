/** `npm start`: the API and, unless RUN_WORKERS=false, the background jobs in the same process. */
import { fillCompileCache, useCompileCache } from './service/compile-cache.ts';
import { allowSlowHandshakes } from './service/slow-handshakes.ts';

useCompileCache();
allowSlowHandshakes();
const { readConfig } = await import('../core/settings/config.ts');
const { loadSettingsFile } = await import('./service/settings-file.ts');
const { needsPublicUrl } = await import('./service/own-address.ts');
const { run } = await import('./service/run.ts');
const { startService } = await import('./service/service.ts');

await run(async (stopping) => {
  loadSettingsFile();
  const config = readConfig(process.env);
  const service = await startService(config, { stopping });
  const { log } = service.runtime;
  if (config.mode === 'sandbox') {
    const { demoInTime } = await import('./service/demo/demo-in-time.ts');
    const { welcome } = await import('./service/demo/welcome.ts');
    const { demoDeskLink } = await import('./service/demo/demo-member.ts');
    await demoInTime({ ...service, dataDir: config.dataDir, stopping }, async (demo) => {
      if (!process.stdout.isTTY && config.logLevel === 'silent') return;
      const desk = await demoDeskLink(service.runtime, service.url);
      console.log(welcome(service.url, config, { demo, desk }));
    });
  }
  log.info({ url: service.url, mode: config.mode, database: config.database.dialect, pid: process.pid }, 'listening');
  if (needsPublicUrl(config))
    log.warn({ url: service.url }, 'links lead to this machine only: HOST is every address; set PUBLIC_URL');
  fillCompileCache();
  return { close: service.close, log, settings: config.stop };
});
