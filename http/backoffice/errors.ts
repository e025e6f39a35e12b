import type { ErrorRequestHandler } from 'express';
import { Unauthenticated } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { Log } from '../../core/log.ts';
import type { DeskMessage } from '../../core/texts/desk-texts.ts';
import { logFailure, refusalOf } from '../edge/on-error.ts';
import type { Office } from './office.ts';
import { Forbidden, Refused } from './route.ts';
import { type Layout, sendPage } from './views/layout.ts';
import { reloadingPage, signedOutPage } from './views/sign-in.ts';

const WORDS: Record<number, readonly [title: DeskMessage, text: DeskMessage]> = {
  400: ['error.400.title', 'error.400.text'],
  403: ['error.403.title', 'error.role'],
  404: ['error.404.title', 'error.404.text'],
  405: ['error.405.title', 'error.405.text'],
  409: ['error.409.title', 'error.409.text'],
  503: ['error.503.title', 'error.503.text'],
};

const UNEXPECTED = ['error.500.title', 'error.500.text'] as const;

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
    const isOurs = error instanceof Forbidden || error instanceof Refused;
    const refusal = isOurs
      ? { status: error instanceof Refused ? error.status : 403, message: error.message, headers: {} }
      : refusalOf(error);
    if (!isOurs) logFailure(log, error, 'back office request failed');
    const status = refusal?.status ?? 500;
    const [titleName, textName] = WORDS[status] ?? UNEXPECTED;
    const title = t.text(titleName);
    // Operators read the service's own words. Members read their language, and no words about another landlord's things.
    const message = refusal && (isOurs || office.name === 'console') ? refusal.message : t.text(textName);
    if (refusal?.headers) res.set(refusal.headers);
    sendPage(res, { title, main: html`<p class="lead">${message}</p>` }, layout, status);
  };
}
