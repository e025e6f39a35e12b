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
import { invitationPages } from './invitation-pages.ts';
import { kycPages } from './kyc-pages.ts';
import { mailboxPages } from './mailbox-pages.ts';
import { onError } from './on-error.ts';
import { onboardingPages } from './onboarding-pages.ts';
import { hostedAssets } from './pages/assets.ts';
import { providerMessages } from './provider-messages.ts';
import { requestLog } from './request-log.ts';
import { validatorOf } from './validator.ts';
import { useWriteJson } from './write-json.ts';

/** The whole edge. What it serves and what it refuses is read from the contract. */
export async function createApp(runtime: Runtime, config: Config): Promise<Express> {
  const contract = await loadContract();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  useWriteJson(app);
  app.use(requestLog(runtime.log));
  const cors = config.docsOrigin === undefined ? undefined : createCors(contract.basePath, config.docsOrigin);
  if (cors) app.use(cors.open);
  const checks = createSchemeChecks(runtime);
  bindOperations(app, {
    contract,
    checks,
    validate: validatorOf(contract, config.mode === 'sandbox'),
    createContext: () => ({ ...runtime, now: runtime.now() }),
  });
  app.use(providerMessages(runtime), hostedAssets, kycPages(runtime, config), eidPages(runtime, config));
  app.use(
    invitationPages(runtime, config),
    onboardingPages(runtime, config),
    mailboxPages(runtime, checks),
    docs(config),
  );
  app.use(() => {
    throw new NotFound('Resource');
  });
  if (cors) app.use(cors.answerPreflight);
  app.use(onError(runtime.log));
  return app;
}
