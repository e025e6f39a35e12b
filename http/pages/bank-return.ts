import { type CookieOptions, type RequestHandler, Router } from 'express';
import type { Config } from '../../core/settings/config.ts';
import { type Connecting, findByState, handleBankCallback } from '../../jobs/banking/connections.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostCookie, secretCookie } from '../edge/cookies.ts';
import { askedQuery } from '../edge/fields.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { textsFor } from './page-language.ts';
import { bankRefusedPage, bankUnknownPage, simulatedBankPage } from './views/bank-return.ts';
import { troublePage } from './views/link-states.ts';
import { errorPages, guarded, NEVER_FRAMED, sendPage } from './views/page.ts';

/** Where people return from their bank, and the simulated bank. */
export function bankReturn(runtime: Connecting, { banking, mode }: Pick<Config, 'banking' | 'mode'>): Router {
  const router = Router();
  const simulated = mode === 'sandbox';
  const get = (path: string, operation: string, handler: RequestHandler) =>
    // HEAD too: a return uses up the state.
    router.route(path).all(named(operation)).head(refuseMethods('GET')).get(handler).all(refuseMethods('GET'));
  router.use('/verify/bank', guarded(NEVER_FRAMED));
  get('/verify/bank/callback', 'bankCallback', async (req, res) => {
    const browser = secretCookie(req, bankCookie(runtime).name);
    const { back } = await handleBankCallback(runtime, askedQuery(req), browser);
    if (back !== undefined) return res.redirect(303, back);
    sendPage(res, { ...bankRefusedPage(textsFor(req)), isFixed: true, simulated }, NEVER_FRAMED, 403);
  });
  if (banking.provider === 'sandbox')
    get('/verify/bank/simulated', 'bankSimulated', async (req, res) => {
      const state = askedQuery(req).get('state') ?? '';
      const { bank } = await findByState(runtime, state);
      sendPage(res, { ...simulatedBankPage(textsFor(req), bank, state), simulated }, NEVER_FRAMED);
    });
  const pages = { unknown: bankUnknownPage, trouble: troublePage, simulated };
  router.use('/verify/bank', errorPages(pages, NEVER_FRAMED, runtime.log));
  return router;
}

/** Binds the return to the browser that set out (RFC 9700, section 4.7). */
export function bankCookie({ publicUrl, flowLifetimeMs }: Pick<Runtime, 'publicUrl' | 'flowLifetimeMs'>): {
  name: string;
  options: CookieOptions;
} {
  const { name, ...where } = hostCookie('bank', publicUrl(), 'verify/bank');
  return { name, options: { ...where, httpOnly: true, sameSite: 'lax', maxAge: flowLifetimeMs } };
}
