import type { ErrorRequestHandler } from 'express';
import { Unauthenticated } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { Log } from '../../core/log.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { logFailure } from '../edge/on-error.ts';
import { type Office, pageOf, placeOf } from './office.ts';
import { refusalFor } from './refusals.ts';
import { Forbidden, Refusal } from './route.ts';
import { type Layout, sendPage } from './views/layout.ts';
import { link } from './views/parts.ts';
import { reloadingPage, signedOutPage } from './views/sign-in.ts';

/** Logs what is no refusal in the words of the reader. */
export function logUnexpected(log: Log, error: unknown): void {
  if (!(error instanceof Forbidden || error instanceof Refusal)) logFailure(log, error, 'back office request failed');
}

/** Renders errors as pages. The table from errors to statuses is the edge's. */
export function errorPages<Needs>(office: Office<Needs>, log: Log): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const known: Layout | undefined = res.locals['layout'];
    const layout = known ?? { office, t: office.textsFor(req), signedIn: undefined, csrf: '' };
    const { t } = layout;
    if (error instanceof Unauthenticated) {
      // Browsers omit the cookie on links from other sites; this page links to the same address, so the cookie is sent.
      const isFromElsewhere =
        ['cross-site', 'same-site'].includes(req.get('Sec-Fetch-Site') ?? '') && req.method === 'GET';
      return sendPage(res, isFromElsewhere ? reloadingPage(req, t) : signedOutPage(req, layout), layout, 401);
    }
    logUnexpected(log, error);
    const { status, title, faults, headers } = refusalFor(office.name, t, error);
    if (headers) res.set(headers);
    // Not to what is not there: that answer is the same for what never was and for what belongs to another landlord.
    const back = req.method === 'POST' && status !== 404 ? pageOf(office.routes, placeOf(req, office)) : undefined;
    const way =
      back && layout.signedIn?.admits(back.route) !== false
        ? html`<p>${link(hostedAddress(req, `${office.name}/${back.place}`), t.text('error.back'))}</p>`
        : undefined;
    const text = faults.map((one) => html`<p class="lead">${one.text}</p>`);
    sendPage(res, { title, main: html`${text}${way}` }, layout, status);
  };
}
