import express, { type Express, type RequestHandler, type Response, Router } from 'express';
import { narrowParty } from '../../core/correlation.ts';
import { Unauthenticated } from '../../core/errors.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { forgetForm } from '../../jobs/access/kept-forms.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostedAddress, isPagePath } from '../edge/addresses.ts';
import { askedQuery } from '../edge/fields.ts';
import { faultOf, fileOf, formOf, readOwnFileForm, readOwnForm } from '../edge/form.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';
import { named } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { officeAssets } from './assets.ts';
import { csrfOf, isCsrfOf, tokenOf } from './cookie.ts';
import { errorPages, logUnexpected } from './errors.ts';
import { guardPages } from './headers.ts';
import { holderOf, keepForm, pageWithKept } from './kept-form.ts';
import { type LivePages, stateText } from './live.ts';
import { type Office, placeOf, routesAt, type SignedIn } from './office.ts';
import { type PageAgain, pageAgain, pageWithForm } from './page-again.ts';
import { type ActionRoute, type Download, Forbidden, type OfficeRoute, Refused, type Visit } from './route.ts';
import { type Layout, sendPage } from './views/layout.ts';
import { proofPage } from './views/proof.ts';

/** How long a sign-in proves who the visitor is, for the actions that need it. */
const PROOF_MS = 15 * MINUTE_MS;

interface Served extends Pick<Runtime, 'db' | 'keys' | 'log' | 'now'> {
  url: string;
  /** The pages that are accessible without a session. */
  signIn: RequestHandler;
  /** Undefined where pages do not update themselves. */
  live?: LivePages;
}

/**
 * Serves an office below its name. For each request to a route:
 * 1. requires a valid session, else 401 with the sign-in page;
 * 2. requires a role that the route admits: a page that the visitor's role does not have is not there (404 at the desk, 403 at the console);
 * 3. for an action, reads the form, within limits, and asks for session and role again: they may end while it arrives;
 * 4. for an action, refuses a form from another site, and requires a form that can be taken and the session's CSRF token, else 403;
 * 5. where the route asks for it, requires a recent sign-in, else a page that mails a link, or asks for a passkey; the form is kept meanwhile;
 * 6. calls the route with the scope of the visitor. A form that 4 or 6 does not take is shown again as it was sent.
 */
export function serveOffice<Needs>(office: Office<Needs>, served: Served): Express {
  const { name } = office;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.use(guardPages(served.url));
  app.use((req, res, next) => (isPagePath(req.path) ? next() : res.status(404).type('txt').send('Not found.\n')));
  app.use(officeAssets(name));
  app.get(`/${name}`, (req, res) => res.redirect(308, hostedAddress(req, `${name}/`)));
  app.use(served.signIn);
  app.use(pagesOf(office, served));
  app.use(nowhere('Page'), errorPages(office, served.log));
  return app;
}

function pagesOf<Needs>(office: Office<Needs>, served: Served): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(office.routes, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const at = router.route(`/${office.name}${path}`).all(named(`${office.name} ${path}`));
    for (const route of routes)
      if (route.method === 'GET') at.get(answer(office, served, route));
      else at.post(entrance(office, route), readerOf(route), answer(office, served, route));
    const methods = routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
    at.all(refuseMethods(methods.join(', ')));
  }
  return router;
}

function readerOf<Needs>({ maxFileBytes }: ActionRoute<Needs>): RequestHandler {
  return maxFileBytes > 0 ? readOwnFileForm(maxFileBytes) : readOwnForm;
}

/** Lets only admitted visitors send a form. */
function entrance<Needs>(office: Office<Needs>, route: ActionRoute<Needs>): RequestHandler {
  return async (_req, res, next) => {
    await enter(office, route, res, false);
    next();
  };
}

/**
 * The visitor, whom the route admits.
 * @param isUse whether the visitor sent the request @throws Unauthenticated, Forbidden
 */
async function enter<Needs>(office: Office<Needs>, route: OfficeRoute<Needs>, res: Response, isUse: boolean) {
  const { req } = res;
  const token = tokenOf(req, office.cookie);
  const signedIn = token && (await office.findVisitor(token, req, isUse));
  if (!token || !signedIn) throw new Unauthenticated('Sign in first.', `Session realm="${office.name}"`);
  res.locals['accountId'] = signedIn.visitor.id;
  await narrowParty(signedIn.party);
  const layout: Layout = { office, signedIn, csrf: csrfOf(token), t: signedIn.t };
  // Covers error pages, too.
  res.locals['layout'] = layout;
  if (!signedIn.admits(route)) throw new Forbidden(signedIn.t.text('error.role'));
  return { token, signedIn, layout };
}

function answer<Needs>(office: Office<Needs>, served: Served, route: OfficeRoute<Needs>): RequestHandler {
  const { name, routes, parts } = office;
  return async (req, res) => {
    const now = served.now();
    const { live } = served;
    const isStream = route.method === 'GET' && req.method === 'GET' && req.get('Accept') === STREAM;
    const isUse = !isStream && req.get('Console-Refresh') === undefined;
    const { token, signedIn, layout } = await enter(office, route, res, isUse);
    const form = formOf(req);
    const site = req.get('Sec-Fetch-Site');
    if (route.method === 'POST' && !(site === undefined || site === 'same-origin'))
      throw new Forbidden(signedIn.t.text('error.stale-form'));
    const hasProved = now.getTime() - signedIn.visitor.provedAt.getTime() <= PROOF_MS;
    const visit: Visit = {
      ...visitOf(signedIn),
      csrf: layout.csrf,
      param: (key) => pathText(req, key),
      query: askedQuery(req),
      form,
      file: (key) => fileOf(req, key),
      now,
      here: placeOf(req, office),
      to: (path) => hostedAddress(req, `${name}/${path}`),
      may: (method, path) => routesAt(routes, path).some((other) => other.method === method && signedIn.admits(other)),
    };
    const asksForProof = route.needsProof && !hasProved;
    if (asksForProof && route.method === 'GET')
      return sendPage(res, proofPage(req, layout, { opens: visit.here, isKept: false }), layout, 403);
    if ('isFile' in route) {
      const { type, content, policy } = await route.handle(visit, parts);
      const alone = `${policy}; frame-ancestors 'none'`;
      return void res.set('Content-Security-Policy', alone).type(type).send(content);
    }
    if (route.method === 'GET') {
      const kept = isStream
        ? undefined
        : await pageWithKept(served, visit, { route, parts, hasProved, keepsForm: signedIn.keepsForm });
      if (kept) return sendPage(res, kept, layout);
      const { state, ...page } = await route.handle(visit, parts);
      if (!live || state === undefined) return sendPage(res, page, layout);
      if (!isStream) return sendPage(res, { ...page, state }, layout);
      const look = async () => stateText((await route.handle({ ...visit, now: served.now() }, parts)).state);
      return openStream(res, live, { visit, state, look, session: hashSecret(token) });
    }
    const act = async () => {
      if (faultOf(req)) throw new Refused(400, visit.t, 'refused.form');
      if (!isCsrfOf(token, form.get('csrf'))) throw new Forbidden(visit.t.text('refused.stale-form'));
      if (asksForProof)
        return { proof: await keepForm(served, visit, pageWithForm(office, signedIn, visit, true)?.place) };
      if (route.needsProof) await forgetForm(served, holderOf(visit));
      return route.handle(visit, parts);
    };
    const outcome = await act().catch(async (error: unknown): Promise<PageAgain> => {
      const again = await pageAgain(office, signedIn, visit, { error, hasProved });
      if (!again) throw error;
      logUnexpected(served.log, error);
      return again;
    });
    if ('proof' in outcome) return sendPage(res, proofPage(req, layout, outcome.proof), layout, 403);
    if ('page' in outcome) {
      if (outcome.headers) res.set(outcome.headers);
      return sendPage(res, outcome.page, layout, outcome.status);
    }
    if ('main' in outcome) return sendPage(res, outcome, layout);
    if ('content' in outcome) return sendFile(res, outcome);
    const { goTo, notice } = outcome;
    res.redirect(303, visit.to(`${goTo}${goTo.includes('?') ? '&' : '?'}notice=${notice}`));
  };
}

function visitOf({ visitor, scope, t, reportTexts }: SignedIn) {
  return { visitor, actor: visitor.actor, scope, t, reportTexts };
}

/** The media type that a browser requests to listen for a page's changes. */
const STREAM = 'text/event-stream';

function openStream(
  res: Response,
  live: LivePages,
  { visit, state, look, session }: { visit: Visit; state: unknown; look: () => Promise<string>; session: string },
): void {
  const accountId = visit.visitor.id;
  if (!live.hasRoom(accountId)) return void res.set('Retry-After', '60').sendStatus(429);
  live.open(res, { accountId, session }, { address: res.req.originalUrl, look, state: stateText(state) });
}

async function sendFile(res: Response, { fileName, content, done }: Download): Promise<void> {
  try {
    res.attachment(fileName);
    await sendStream(res, content);
  } finally {
    done();
  }
}
