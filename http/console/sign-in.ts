import { type Request, type RequestHandler, Router } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress } from '../../core/addresses/client-address.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { isLinkOpen } from '../../db/access/console-accounts.ts';
import { signInByLink, signOut } from '../../jobs/console/accounts.ts';
import { mailSignInLink } from '../../jobs/console/mail-link.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { Attempts } from './attempts.ts';
import { csrfOf, isCsrfOf, setToken, tokenOf, tokenOfVisitor } from './cookie.ts';
import { isHttps } from './headers.ts';
import { Forbidden } from './route.ts';
import { sendPage } from './views/layout.ts';
import { deadLinkPage, linkPage, signInPage, tooManyPage } from './views/sign-in.ts';

interface SigningIn extends Runtime {
  /** The public address of the console. */
  url: string;
  trustedProxies: readonly Network[];
}

const STALE = 'The form is from an earlier visit, or another site: load the page again.';

/** Every form came with a cookie. Browsers drop it when cookies are blocked, or when the address is not the public one. */
const withoutCookie = (url: string) =>
  `Your browser did not return the cookie of this page. Allow cookies for ${new URL(url).host}, open ${url}, and sign in there.`;

/**
 * The pages that are accessible without a session: those for signing in. Only requests for mail are limited by address: links cannot be
 * guessed, and link checkers of mail programs open dead ones, from the address that operators share.
 */
export function signInPages(runtime: SigningIn): Router {
  const isSecure = isHttps(runtime.url);
  const attempts = new Attempts();
  const addressOf = (req: Request) => clientAddress(req, runtime.trustedProxies) ?? '';
  /** The token of the visitor who received the form. @throws Forbidden */
  const visitorOf = (req: Request): string => {
    const token = tokenOf(req);
    if (token === undefined) throw new Forbidden(withoutCookie(runtime.url));
    const site = req.get('Sec-Fetch-Site');
    const isOurs = isCsrfOf(token, formOf(req).get('csrf'));
    if (!isOurs || !(site === undefined || site === 'same-origin')) throw new Forbidden(STALE);
    return token;
  };
  const limited: RequestHandler = (req, res, next) => {
    const seconds = attempts.waitSeconds(addressOf(req));
    if (seconds === 0) return next();
    res.set('Retry-After', String(seconds));
    sendPage(res, tooManyPage(seconds), undefined, 429);
  };
  const ask: RequestHandler = (req, res) => {
    const csrf = csrfOf(tokenOfVisitor(req, res, isSecure));
    sendPage(res, signInPage(req, csrf, req.query['asked'] !== undefined), undefined);
  };
  const mail: RequestHandler = (req, res) => {
    visitorOf(req);
    // Every request counts: neither the answer nor its timing reveals which names exist.
    attempts.count(addressOf(req));
    const sending = mailSignInLink(runtime, formOf(req).get('name') ?? '', runtime.url);
    sending.catch((err) => runtime.log.warn({ err }, 'sign-in link not mailed'));
    res.redirect(303, `${hostedAddress(req, 'console/sign-in')}?asked`);
  };
  const look: RequestHandler<{ token: string }> = async (req, res) => {
    const isOpen = await isLinkOpen(runtime.db, hashSecret(req.params.token), runtime.now());
    const page = isOpen ? linkPage(req, csrfOf(tokenOfVisitor(req, res, isSecure))) : deadLinkPage(req);
    sendPage(res, page, undefined, isOpen ? 200 : 404);
  };
  const enter: RequestHandler<{ token: string }> = async (req, res) => {
    const before = visitorOf(req);
    const token = await signInByLink(runtime, req.params.token);
    if (token === undefined) return sendPage(res, deadLinkPage(req), undefined, 404);
    await signOut(runtime, before);
    setToken(res, token, isSecure);
    res.redirect(303, hostedAddress(req, 'console/'));
  };
  const leave: RequestHandler = async (req, res) => {
    await signOut(runtime, visitorOf(req));
    res.set('Clear-Site-Data', '"cache"');
    res.redirect(303, hostedAddress(req, 'console/sign-in'));
  };
  const router = Router({ caseSensitive: true, strict: true });
  const [both, post] = [refuseMethods('GET, HEAD, POST'), refuseMethods('POST')];
  router.route('/console/sign-in').all(named('console sign-in')).get(ask).post(limited, readForm, mail).all(both);
  router.route('/console/sign-in/:token').all(named('console link')).get(look).post(readForm, enter).all(both);
  router.route('/console/sign-out').all(named('console sign-out')).post(readForm, leave).all(post);
  return router;
}
