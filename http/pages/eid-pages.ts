import { type CookieOptions, type Request, type RequestHandler, type Response, Router } from 'express';
import { NotFound } from '../../core/errors.ts';
import { flowIdFromToken, randomSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Requester } from '../../db/applications/requester.ts';
import {
  agreeToEid,
  type EidRuntime,
  type EidStart,
  type EidStep,
  findRequesterOfAttempt,
  findRequesterOfEid,
  handleEidCallback,
  RETRY,
  startEidAuthorization,
} from '../../jobs/identity/eid-flows.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { SimulatedEidResult } from '../../providers/sandbox/eid.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { hostCookie, secretCookie } from '../edge/cookies.ts';
import { askedQuery } from '../edge/fields.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { eidAgreement } from './agreement-lines.ts';
import { keepLanguage, textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { agreementPage, asText, isOf } from './views/agreement.ts';
import {
  eidNoCookiesPage,
  eidOverPage,
  eidRefusedPage,
  eidTroublePage,
  eidTryAgainPage,
  eidUnknownPage,
  eidWaitingPage,
  simulatedEidPage,
} from './views/eid.ts';
import { errorPages, guarded, NEVER_FRAMED, type Page, sendPage } from './views/page.ts';
import { wayHome } from './way-home.ts';

type EidConfig = Pick<Config, 'eid' | 'retention'>;
type BrowserBinding = Pick<Runtime, 'publicUrl' | 'flowLifetimeMs'>;

/** The links of initiate-eid and the provider's callback, outside the API. */
export function eidPages(runtime: EidRuntime, config: EidConfig): Router {
  const router = Router();
  const get = (path: string, operation: string, handler: RequestHandler) => {
    // HEAD too: a visit starts an attempt, or uses up a callback.
    router.route(path).all(named(operation)).head(refuseMethods('GET')).get(handler).all(refuseMethods('GET'));
  };
  router.use('/verify/eid', guarded(NEVER_FRAMED));
  get('/verify/eid/callback', 'eidCallback', handleCallback(runtime, config));
  if (config.eid.provider === 'sandbox') get('/verify/eid/simulated', 'eidSimulated', simulateSignIn(runtime));
  router
    .route('/verify/eid/:token')
    .all(named('eidLink'))
    .head(refuseMethods('GET, POST'))
    .get(openLink(runtime, config))
    .post(readForm, agree(runtime, config))
    .all(refuseMethods('GET, POST'));
  const pages = { unknown: eidUnknownPage, trouble: eidTroublePage, simulated: false };
  router.use('/verify/eid', errorPages(pages, NEVER_FRAMED, runtime.log));
  return router;
}

function openLink(runtime: EidRuntime, config: EidConfig): RequestHandler {
  const openKnownLink: RequestHandler = async (req, res) => {
    const browser = browserOf(req, runtime);
    const step = await startEidAuthorization(runtime, String(req.params['token']), browser, askedQuery(req).has(RETRY));
    const { name, options } = browserCookie(runtime);
    res.cookie(name, browser ?? randomSecret(), options);
    keepLanguage(req, runtime);
    if (step.show !== 'unbound') await show(res, step, { config, runtime });
    else if (hasJustTried(req, runtime)) explainCookies(res, step, runtime);
    else res.redirect(303, triedAgain(req, runtime));
  };
  return (req, res, next) => {
    const isKnown = flowIdFromToken('eid', String(req.params['token']), runtime.keys.encryption) !== undefined;
    // Creating random bytes for each anonymous request would cost more than the rest of the handler.
    if (!isKnown) throw new NotFound('Verification');
    return openKnownLink(req, res, next);
  };
}

/** Sends the person on to the provider with the text that they were shown, or shows the current text when it has changed. */
function agree(runtime: EidRuntime, config: EidConfig): RequestHandler {
  return async (req, res) => {
    const token = String(req.params['token']);
    const requester = await findRequesterOfEid(runtime, token);
    const lines = eidAgreement(textsFor(req), requester, config);
    if (!isOf(formOf(req), lines)) return ask(res, requester, { config, runtime }, true);
    await agreeToEid(runtime, token, asText(lines));
    res.redirect(303, pageAddress(req, `verify/eid/${token}`));
  };
}

function ask(
  res: Response,
  requester: Requester | undefined,
  { config, runtime }: { config: EidConfig; runtime: BrowserBinding },
  isChanged = false,
): void {
  const t = textsFor(res.req);
  const here = pageAddress(res.req, `verify/eid/${res.req.params['token']}`);
  const phone = `${runtime.publicUrl()}/verify/eid/${res.req.params['token']}`;
  const page = agreementPage(t, eidAgreement(t, requester, config), { action: here, phone, isChanged });
  const simulated = config.eid.provider === 'sandbox';
  sendPage(res, { ...page, requester, simulated, leadsAway: true }, NEVER_FRAMED, isChanged ? 400 : 200);
}

function handleCallback(runtime: EidRuntime, config: EidConfig): RequestHandler {
  return async (req, res) =>
    show(res, await handleEidCallback(runtime, askedQuery(req), browserOf(req, runtime)), { config, runtime }, true);
}

/** Simulates the national eID. */
function simulateSignIn(runtime: Pick<Runtime, 'db'>): RequestHandler {
  return async (req, res) => {
    const state = askedQuery(req).get('state') ?? '';
    const requester = await findRequesterOfAttempt(runtime, state);
    const back = (result: SimulatedEidResult) => `callback?${new URLSearchParams({ state, result })}`;
    sendPage(res, simulatedEidPage(textsFor(req), requester, back), NEVER_FRAMED);
  };
}

function explainCookies(
  res: Response,
  step: Extract<EidStart, { show: 'unbound' }>,
  { publicUrl }: BrowserBinding,
): void {
  const again = pageAddress(res.req, `verify/eid/${res.req.params['token']}`);
  const page = eidNoCookiesPage(textsFor(res.req), step, { again, site: new URL(publicUrl()).host });
  sendPage(res, { ...page, isFixed: true }, NEVER_FRAMED, 403);
}

/** @param isCallback whether the page answers a callback, whose address cannot be opened twice */
async function show(
  res: Response,
  step: EidStep,
  { config, runtime }: { config: EidConfig; runtime: BrowserBinding & Pick<Runtime, 'db'> },
  isCallback = false,
): Promise<void> {
  const t = textsFor(res.req);
  const send = (page: Page, status?: number) =>
    sendPage(res, { ...page, ...(isCallback ? { isFixed: true } : {}) }, NEVER_FRAMED, status);
  if (step.show === 'redirect') res.redirect(303, step.address);
  else if (step.show === 'asking') ask(res, step.requester, { config, runtime });
  else if (step.show === 'waiting') send(eidWaitingPage(t, step));
  else if (step.show === 'over') send(eidOverPage(t, step, await wayHome(res.req, runtime, step.checked)));
  else if (step.show === 'refused') send(eidRefusedPage(t, step), 403);
  else send(eidTryAgainPage(t, step), 503);
}

function browserOf(req: Request, runtime: BrowserBinding): string | undefined {
  return secretCookie(req, browserCookie(runtime).name);
}

/** The query of a link to which a browser is sent once, to see whether it returns the cookie. Its value is the time. */
const TRIED = 'cookie';
/** After that the address was copied, possibly to another browser, whose cookies are not known. */
const MAX_TRY_MS = 10_000;

function triedAgain(req: Request, { now }: Pick<Runtime, 'now'>): string {
  const query = askedQuery(req);
  query.set(TRIED, String(now().getTime()));
  return hostedAddress(req, `verify/eid/${req.params['token']}?${query}`);
}

function hasJustTried(req: Request, { now }: Pick<Runtime, 'now'>): boolean {
  return Math.abs(now().getTime() - Number(askedQuery(req).get(TRIED))) < MAX_TRY_MS;
}

/** Binds the callback to the browser that started the flow (RFC 9700, section 4.7). */
function browserCookie({ publicUrl, flowLifetimeMs }: BrowserBinding): { name: string; options: CookieOptions } {
  const { name, ...where } = hostCookie('eid', publicUrl(), 'verify/eid');
  return { name, options: { ...where, httpOnly: true, sameSite: 'lax', maxAge: flowLifetimeMs } };
}
