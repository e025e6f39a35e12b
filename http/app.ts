import express, { type Express, type RequestHandler } from 'express';
import { readContract } from '../core/contract.ts';
import type { Config } from '../core/settings/config.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { createSchemeChecks } from './api/authenticate.ts';
import { bindOperations } from './api/bind.ts';
import { limitsOf, Turns } from './api/turns.ts';
import { validatorOf } from './api/validation-engine.ts';
import { docs } from './docs.ts';
import { createCors } from './edge/cors.ts';
import { nowhere, onError } from './edge/on-error.ts';
import { type RequestEnded, requestLog } from './edge/request-log.ts';
import { useWriteJson } from './edge/write-json.ts';
import { hostedAssets } from './pages/assets.ts';
import { eidPages } from './pages/eid-pages.ts';
import { kycPages } from './pages/kyc-pages.ts';
import { linkPages } from './pages/link-pages.ts';
import { mailboxPages } from './pages/mailbox-pages.ts';
import { providerMessages } from './pages/provider-messages.ts';

/** Puts the edge together. The contract decides what it serves and refuses. @throws UnusableContract */
export function createApp(runtime: Runtime, config: Config, requestEnded?: RequestEnded): Express {
  const contract = readContract();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  useWriteJson(app);
  app.use(requestLog(runtime.log, requestEnded));
  const cors = config.docsOrigin === undefined ? undefined : createCors(contract.basePath, config.docsOrigin);
  if (cors) app.use(cors.open);
  const checks = createSchemeChecks({ ...runtime, trustedProxies: config.trustedProxies });
  const turns = new Turns(limitsOf(config.database));
  bindOperations(app, {
    contract,
    checks,
    validate: validatorOf(contract, config.mode === 'sandbox'),
    inTurn: (apiKeyId, work) => turns.run(apiKeyId, work),
    createContext: () => {
      const { db, queue, providers, keys, publicUrl, flowLifetimeMs, invitationLifetimeMs, addresses, limits } =
        runtime;
      const now = runtime.now();
      return { db, queue, providers, keys, publicUrl, flowLifetimeMs, invitationLifetimeMs, addresses, limits, now };
    },
  });
  // Only what may be there is searched: a router that finds nothing costs another turn of the event loop.
  const below = (place: RegExp, pages: RequestHandler) =>
    app.use((req, res, next) => (place.test(req.path) ? pages(req, res, next) : next()));
  below(/^\/providers(?![^/])/i, providerMessages(runtime));
  below(/^\/verify\/assets\//i, hostedAssets);
  below(/^\/verify\/kyc(?![^/])/i, kycPages(runtime, config));
  below(/^\/verify\/eid(?![^/])/i, eidPages(runtime, config));
  below(/^\/(?:invitation|onboarding)(?![^/])/i, linkPages(runtime, config));
  below(/^\/mailbox(?![^/])/i, mailboxPages(runtime, checks));
  below(/^\/(?:docs|openapi)(?![^/.])/i, docs(config));
  app.use(nowhere('Resource'));
  if (cors) app.use(cors.answerPreflight);
  app.use(onError(runtime.log));
  return app;
}
