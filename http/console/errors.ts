import type { ErrorRequestHandler } from 'express';
import { Unauthenticated } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { Log } from '../../core/log.ts';
import { refusalOf } from '../edge/on-error.ts';
import { Forbidden } from './route.ts';
import { type SignedIn, sendPage } from './views/layout.ts';
import { reloadingPage, signedOutPage } from './views/sign-in.ts';

const TITLES: Record<number, string> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible',
  409: 'Nothing was changed',
};

/** Renders errors as pages. The table from errors to statuses is the edge's. */
export function errorPages(log: Log): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof Unauthenticated) {
      // Browsers omit the cookie on links from other sites; this page links to the same address, so the cookie is sent.
      const isFromElsewhere =
        ['cross-site', 'same-site'].includes(req.get('Sec-Fetch-Site') ?? '') && req.method === 'GET';
      return sendPage(res, isFromElsewhere ? reloadingPage(req) : signedOutPage(req), undefined, 401);
    }
    const refusal = error instanceof Forbidden ? { status: 403, message: error.message } : refusalOf(error);
    if (!refusal) log.error({ err: error }, 'console request failed');
    const { status, message } = refusal ?? { status: 500, message: 'Something failed in the service; see its log.' };
    const title = TITLES[status] ?? 'That failed';
    if (refusal && 'headers' in refusal && refusal.headers) res.set(refusal.headers);
    const signedIn: SignedIn | undefined = res.locals['signedIn'];
    sendPage(res, { title, main: html`<h1>${title}</h1><p class="lead">${message}</p>` }, signedIn, status);
  };
}
