import express, { type Express } from 'express';
import type { Config } from '../core/config.ts';
import { NotFound } from '../core/errors.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { createSchemeChecks } from './authenticate.ts';
import { bindOperations } from './bind.ts';
import { loadContract } from './contract.ts';
import { createCors } from './cors.ts';
import { docs } from './docs.ts';
import { eidPages } from './eid-pages.ts';
import { kycPages } from './kyc-pages.ts';
import { onError } from './on-error.ts';
import { hostedAssets } from './pages/assets.ts';
import { providerMessages } from './provider-messages.ts';
import { requestLog } from './request-log.ts';
import { createValidator } from './validator.ts';
import { useWriteJson } from './write-json.ts';

/** The whole edge. What it serves and what it refuses is read from the contract. */
export async function createApp(runtime: Runtime, config: Config): Promise<Express> {
  const contract = await loadContract();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLog(runtime.log), useWriteJson);
  const cors = config.docsOrigin === undefined ? undefined : createCors(contract.basePath, config.docsOrigin);
  if (cors) app.use(cors.open);
  bindOperations(app, {
    contract,
    checks: createSchemeChecks(runtime),
    validate: createValidator(contract.document, config.mode === 'sandbox'),
    createContext: () => ({ ...runtime, addresses: config.addresses, now: runtime.now() }),
  });
  app.use(providerMessages(runtime), hostedAssets, kycPages(runtime, config), eidPages(runtime, config), docs(config));
  app.use(() => {
    throw new NotFound('Resource');
  });
  if (cors) app.use(cors.answerPreflight);
  app.use(onError(runtime.log));
  return app;
}
