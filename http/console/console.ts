import type { RequestListener } from 'node:http';
import express, { type RequestHandler, type Response, Router } from 'express';
import { narrowParty } from '../../core/correlation.ts';
import { Unauthenticated } from '../../core/errors.ts';
import { partyOfOperator } from '../../core/party.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { findSession } from '../../db/access/console-sessions.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { AuditVerifier } from '../../jobs/upkeep/audit-verification.ts';
import { hostedAddress, isPagePath } from '../edge/addresses.ts';
import { formOf, readForm } from '../edge/form.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';
import { named, requestLog } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { consoleAssets } from './assets.ts';
import { csrfOf, isCsrfOf, tokenOf } from './cookie.ts';
import { errorPages } from './errors.ts';
import { guardPages } from './headers.ts';
import { LivePages, stateText } from './live.ts';
import {
  type Console,
  type ConsoleRoute,
  type Download,
  Forbidden,
  type Page,
  type PageRoute,
  type Visit,
} from './route.ts';
import { consoleRoutes } from './routes.ts';
import { signInPages } from './sign-in.ts';
import { type SignedIn, sendPage } from './views/layout.ts';

/**
 * The operators' console below `/console/`, for the operators' listener. For each request to a route:
 * 1. reads the form, within a limit;
 * 2. requires a valid session, else 401 with the sign-in page;
 * 3. requires the route's role, else 403;
 * 4. for an action, requires the session's CSRF token, else 403.
 */
export function createConsole(
  runtime: Runtime & Pick<Console, 'conditions'>,
  config: Pick<Config, 'trustedProxies'>,
  url: string,
): ServedConsole {
  const console: Console = {
    ...runtime,
    verifier: new AuditVerifier(),
    live: new LivePages(runtime),
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.use(requestLog({ ...runtime, ...config }), guardPages(url));
  app.use((req, res, next) => (isPagePath(req.path) ? next() : res.status(404).type('txt').send('Not found.\n')));
  app.use(consoleAssets);
  app.get('/console', (req, res) => res.redirect(308, hostedAddress(req, 'console/')));
  app.use(signInPages({ ...runtime, url, trustedProxies: config.trustedProxies }));
  app.use(pagesOf(console));
  app.use(nowhere('Page'), errorPages(runtime.log));
  const close = async () => void (await Promise.all([console.live.close(), console.verifier.stop()]));
  return { serve: app, close };
}

export interface ServedConsole {
  serve: RequestListener;
  /** Stops the pages' background work while the database is still open. */
  close(): Promise<void>;
}

function pagesOf(console: Console): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(consoleRoutes, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const at = router.route(`/console${path}`).all(named(`console ${path}`));
    for (const route of routes)
      if (route.method === 'GET') at.get(answer(console, route));
      else at.post(readForm, answer(console, route));
    const methods = routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
    at.all(refuseMethods(methods.join(', ')));
  }
  return router;
}

function answer(console: Console, route: ConsoleRoute): RequestHandler {
  return async (req, res) => {
    const now = console.now();
    const token = tokenOf(req);
    const isStream = route.method === 'GET' && req.method === 'GET' && req.get('Accept') === STREAM;
    const isUse = !isStream && req.get('Console-Refresh') === undefined;
    const account = token && (await findSession(console.db, hashSecret(token), now, isUse));
    if (!token || !account) throw new Unauthenticated('Sign in first.', 'Session realm="console"');
    narrowParty(partyOfOperator(account.name));
    const signedIn: SignedIn = { account, csrf: csrfOf(token) };
    // Covers error pages, too.
    res.locals['signedIn'] = signedIn;
    if (route.role === 'operator' && account.role !== 'operator')
      throw new Forbidden('Your account can view everything but change nothing.');
    const form = formOf(req);
    if (route.method === 'POST' && !isOurs(req.get('Sec-Fetch-Site'), token, form))
      throw new Forbidden('The form is from an earlier session, or another site: load the page again.');
    const visit: Visit = {
      ...signedIn,
      actor: { kind: 'operator', id: account.name },
      param: (name) => pathText(req, name),
      query: new URL(req.originalUrl, 'http://console.invalid').searchParams,
      form,
      now,
      to: (path) => hostedAddress(req, `console/${path}`),
    };
    if ('isFile' in route) {
      const { type, content, policy } = await route.handle(visit, console);
      return void res.set('Content-Security-Policy', policy).type(type).send(content);
    }
    if (route.method === 'GET') {
      const page = await route.handle(visit, console);
      if (!isStream || page.state === undefined) return sendPage(res, page, signedIn);
      return openStream(res, console, { route, visit, page, session: hashSecret(token) });
    }
    const outcome = await route.handle(visit, console);
    if ('main' in outcome) return sendPage(res, outcome, signedIn);
    if ('content' in outcome) return sendFile(res, outcome);
    const { goTo, notice } = outcome;
    res.redirect(303, visit.to(`${goTo}${goTo.includes('?') ? '&' : '?'}notice=${notice}`));
  };
}

/** The media type that a browser requests to listen for a page's changes. */
const STREAM = 'text/event-stream';

function openStream(
  res: Response,
  console: Console,
  { route, visit, page, session }: { route: PageRoute; visit: Visit; page: Page; session: string },
): void {
  const { id: accountId } = visit.account;
  if (!console.live.hasRoom(accountId)) return void res.set('Retry-After', '60').sendStatus(429);
  const look = async () => stateText((await route.handle({ ...visit, now: console.now() }, console)).state);
  console.live.open(res, { accountId, session }, { address: res.req.originalUrl, look, state: stateText(page.state) });
}

async function sendFile(res: Response, { fileName, content, done }: Download): Promise<void> {
  try {
    res.attachment(fileName);
    await sendStream(res, content);
  } finally {
    done();
  }
}

/** @param site the value of `Sec-Fetch-Site` */
function isOurs(site: string | undefined, token: string, form: URLSearchParams): boolean {
  return (site === undefined || site === 'same-origin') && isCsrfOf(token, form.get('csrf'));
}
