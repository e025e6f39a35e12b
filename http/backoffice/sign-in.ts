import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress, partyOfAddress } from '../../core/addresses/client-address.ts';
import { NotFound } from '../../core/errors.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { isLinkOpen } from '../../db/access/sign-in.ts';
import { type PasskeyOffice, passkeyRequest, signInWithPasskey } from '../../jobs/access/passkeys.ts';
import { signInByLink, signOut } from '../../jobs/access/sign-in.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { Attempts } from './attempts.ts';
import { csrfOf, isCsrfOf, setToken, tokenOf, tokenOfVisitor } from './cookie.ts';
import type { Office } from './office.ts';
import { placeIn } from './query.ts';
import { Forbidden } from './route.ts';
import { type Layout, sendPage } from './views/layout.ts';
import {
  deadLinkPage,
  linkPage,
  refusedPasskeyPage,
  type SignInField,
  signInPage,
  tooManyPage,
} from './views/sign-in.ts';

interface SigningIn extends Pick<Runtime, 'db' | 'keys' | 'log' | 'now'> {
  /** The public address of the office. */
  url: string;
  trustedProxies: readonly Network[];
  field: SignInField;
  /** @param who as typed, untrusted */
  mailLinks(who: string, req: Request): Promise<void>;
  passkeys: PasskeyOffice;
}

const MAX_BROWSER_LENGTH = 200;

/** What the browser calls itself. */
function browserOf(req: Request): string {
  return (req.get('User-Agent') ?? '').slice(0, MAX_BROWSER_LENGTH);
}

/**
 * The pages that are accessible without a session: those for signing in. Requests for mail and passkeys are limited by caller. Links are
 * not: they cannot be guessed, and link checkers of mail programs open dead ones, from the address that visitors share.
 */
export function signInPages<Needs>(office: Office<Needs>, signingIn: SigningIn): Router {
  const { name, cookie } = office;
  const { url, field, trustedProxies, passkeys } = signingIn;
  const { of } = passkeys;
  const attempts = new Attempts();
  const layoutOf = (req: Request): Layout => ({ office, t: office.textsFor(req), signedIn: undefined, csrf: '' });
  /** The token of the visitor who received the form. @throws Forbidden */
  const visitorOf = (req: Request): string => {
    const t = office.textsFor(req);
    const token = tokenOf(req, cookie);
    // Browsers drop the cookie when cookies are blocked, or when the address is not the public one.
    if (token === undefined) throw new Forbidden(t.text('sign-in.no-cookie', { host: new URL(url).host, url }));
    const site = req.get('Sec-Fetch-Site');
    const isOurs = isCsrfOf(token, formOf(req).get('csrf'));
    if (!isOurs || !(site === undefined || site === 'same-origin')) throw new Forbidden(t.text('error.stale-form'));
    return token;
  };
  /** Counts an attempt of a visitor. @returns their token; undefined when there were too many, which is answered */
  const countedVisitor = (req: Request, res: Response): string | undefined => {
    const visitor = visitorOf(req);
    const seconds = attempts.take(partyOfAddress(clientAddress(req, trustedProxies)));
    if (seconds === 0) return visitor;
    res.set('Retry-After', String(seconds));
    sendPage(res, tooManyPage(office.textsFor(req), seconds), layoutOf(req), 429);
    return undefined;
  };
  const ask: RequestHandler = (req, res) => {
    const csrf = csrfOf(tokenOfVisitor(req, res, cookie));
    const layout = layoutOf(req);
    sendPage(res, signInPage(req, layout, { csrf, field, isAsked: req.query['asked'] !== undefined }), layout);
  };
  const mail: RequestHandler = (req, res) => {
    // Every request counts: neither the answer nor its timing reveals who exists.
    if (countedVisitor(req, res) === undefined) return;
    const sending = signingIn.mailLinks(formOf(req).get(field.name) ?? '', req);
    sending.catch((err) => signingIn.log.warn({ err }, 'sign-in link not mailed'));
    res.redirect(303, `${hostedAddress(req, `${name}/sign-in`)}?asked`);
  };
  const look: RequestHandler<{ token: string }> = async (req, res) => {
    const isOpen = await isLinkOpen(signingIn.db, of, hashSecret(req.params.token), signingIn.now());
    const layout = layoutOf(req);
    const page = isOpen ? linkPage(req, layout.t, csrfOf(tokenOfVisitor(req, res, cookie))) : deadLinkPage(req, layout);
    sendPage(res, page, layout, isOpen ? 200 : 404);
  };
  const enter: RequestHandler<{ token: string }> = async (req, res) => {
    const before = visitorOf(req);
    const entered = await signInByLink(signingIn, of, req.params.token, browserOf(req));
    const layout = layoutOf(req);
    if (entered === undefined) return sendPage(res, deadLinkPage(req, layout), layout, 404);
    await signOut(signingIn, of, before);
    setToken(res, entered.token, cookie);
    res.redirect(303, hostedAddress(req, `${name}/${entered.opens ?? ''}`));
  };
  const leave: RequestHandler = async (req, res) => {
    await signOut(signingIn, of, visitorOf(req));
    res.set('Clear-Site-Data', '"cache"');
    res.redirect(303, hostedAddress(req, `${name}/sign-in`));
  };
  const request: RequestHandler = async (req, res) => {
    const needs = await passkeyRequest(signingIn, passkeys, tokenOfVisitor(req, res, cookie));
    if (needs === undefined) throw new NotFound('Page');
    res.json(needs);
  };
  const present: RequestHandler = async (req, res) => {
    const before = countedVisitor(req, res);
    if (before === undefined) return;
    const form = formOf(req);
    const given = form.get('credential') ?? '';
    const entered = await signInWithPasskey(signingIn, passkeys, given, { visitor: before, browser: browserOf(req) });
    const layout = layoutOf(req);
    if (entered === undefined) return sendPage(res, refusedPasskeyPage(req, layout), layout, 403);
    await signOut(signingIn, of, before);
    setToken(res, entered, cookie);
    res.redirect(303, hostedAddress(req, `${name}/${placeIn(form)}`));
  };
  const router = Router({ caseSensitive: true, strict: true });
  const [both, post] = [refuseMethods('GET, HEAD, POST'), refuseMethods('POST')];
  const signIn = `/${name}/sign-in`;
  router
    .route(signIn)
    .all(named(`${name} sign-in`))
    .get(ask)
    .post(readForm, mail)
    .all(both);
  router
    .route(`${signIn}/passkey`)
    .all(named(`${name} passkey`))
    .get(request)
    .post(readForm, present)
    .all(both);
  router
    .route(`${signIn}/:token`)
    .all(named(`${name} link`))
    .get(look)
    .post(readForm, enter)
    .all(both);
  router
    .route(`/${name}/sign-out`)
    .all(named(`${name} sign-out`))
    .post(readForm, leave)
    .all(post);
  return router;
}
