import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { readContract } from '../core/contract.ts';
import { memoized } from '../core/memoized.ts';
import { createTokenVerifier } from '../core/secrets/tokens.ts';
import type { Config } from '../core/settings/config.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { createSchemeChecks, partyByToken } from './api/authenticate.ts';
import { bindOperations } from './api/bind.ts';
import { withRehearsedFailures } from './api/rehearsed-failures.ts';
import { validateRequests, validateRequestsAndResponses } from './api/validation.ts';
import { isPagePath, wantsHtml } from './edge/addresses.ts';
import { admission } from './edge/admission.ts';
import { createCors } from './edge/cors.ts';
import { createEdgeApp } from './edge/edge-app.ts';
import { logFailure, onError, refusalOf, unknownPath } from './edge/on-error.ts';
import type { RequestEnded } from './edge/request-log.ts';
import { FRAMED, places } from './places.ts';

interface Served {
  requestEnded?: RequestEnded | undefined;
  /** Aborts when requests that still wait for a turn must be refused, because the process ends. */
  ending?: AbortSignal;
}

/** Assembles the edge. The contract decides what it serves and refuses. @throws UnusableContract */
export function createApp(runtime: Runtime, config: Config, { requestEnded, ending }: Served = {}): Express {
  const contract = readContract();
  const { trustedProxies } = config;
  const verifyToken = createTokenVerifier(runtime.keys.token);
  const partyOf = partyByToken(verifyToken, runtime.now);
  const admitting = admission({ log: runtime.log, trustedProxies, partyOf, ended: requestEnded });
  ending?.addEventListener('abort', admitting.refuseWaiting);
  const app = createEdgeApp(admitting);
  const cors = config.docsOrigin === undefined ? undefined : createCors(contract.basePath, config.docsOrigin);
  if (cors) app.use(cors.open);
  const checks = createSchemeChecks({ ...runtime, verifyToken, trustedProxies });
  bindOperations(app, {
    contract,
    checks: config.mode === 'sandbox' ? withRehearsedFailures(checks) : checks,
    validate: config.mode === 'sandbox' ? validateRequestsAndResponses : validateRequests,
    createContext: () => {
      const { db, queue, providers, keys, publicUrl, flowLifetimeMs, invitationLifetimeMs, addresses, limits } =
        runtime;
      const now = runtime.now();
      return { db, queue, providers, keys, publicUrl, flowLifetimeMs, invitationLifetimeMs, addresses, limits, now };
    },
  });
  // Mounts only what can match: a router without a match costs an event-loop turn. Loaded on first use, because API requests
  // need none of it.
  for (const { path, load } of places) {
    const pages = memoized(() => load({ runtime, config, checks }));
    const serve: RequestHandler = async (req, res, next) => (await pages())(req, res, next);
    app.use((req, res, next) => (path.test(req.path) && isPagePath(req.path) ? serve(req, res, next) : next()));
  }
  app.use(unknownPath);
  const busy: ErrorRequestHandler = async (error, req, res, next) => {
    const isPage = isPagePath(req.path) && places.some(({ path }) => path.test(req.path)) && wantsHtml(req);
    const { status, headers = {} } = refusalOf(error) ?? {};
    if (status !== 503 || !isPage || res.headersSent) return next(error);
    logFailure(runtime.log, error, 'request failed');
    const { sendBusyPage } = await import('./pages/busy.ts');
    sendBusyPage(req, res.set(headers), FRAMED.test(req.path) ? config.frameAncestors : "'none'");
  };
  if (cors) app.use(cors.answerPreflight);
  app.use(busy, onError(runtime.log));
  return app;
}
