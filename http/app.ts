import express, { type Express } from 'express';
import { NotFound } from '../core/errors.ts';
import type { Config } from '../core/settings/config.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { createSchemeChecks } from './api/authenticate.ts';
import { bindOperations } from './api/bind.ts';
import { loadContract } from './api/contract.ts';
import { validatorOf } from './api/validator.ts';
import { docs } from './docs.ts';
import { createCors } from './edge/cors.ts';
import { onError } from './edge/on-error.ts';
import { requestLog } from './edge/request-log.ts';
import { useWriteJson } from './edge/write-json.ts';
import { hostedAssets } from './pages/assets.ts';
import { eidPages } from './pages/eid-pages.ts';
import { invitationPages } from './pages/invitation-pages.ts';
import { kycPages } from './pages/kyc-pages.ts';
import { mailboxPages } from './pages/mailbox-pages.ts';
import { onboardingPages } from './pages/onboarding-pages.ts';
import { providerMessages } from './pages/provider-messages.ts';

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
