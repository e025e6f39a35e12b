import express, { type Request, type RequestHandler, Router } from 'express';
import { NotFound, ValidationError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { type LinkPage, type Mistake, troublePage, unknownPage } from './views/link-states.ts';
import { errorPages, guarded, hostedAddress, sendPage } from './views/page.ts';

/** The pages behind one kind of link. */
export interface LinkKind {
  /** The first part of their path, and what their requests are called in the log. */
  place: 'invitation' | 'onboarding';
  /** @throws NotFound */
  show(token: string, mistake?: Mistake): Promise<LinkPage>;
  /** Applies the submitted form. @throws NotFound, ValidationError with a message for the person */
  take(token: string, sent: URLSearchParams): Promise<void>;
}

const NEVER_FRAMED = "'none'";
const FORM_LIMIT = '8kb';

/**
 * Pages behind links that people received: outside the API, without a session. GET has no side effects, because mail scanners
 * follow links too. Forms need no CSRF token: a forged request would have to know the token in the address, which grants access anyway.
 */
export function linkPages(kind: LinkKind, { mode }: Pick<Config, 'mode'>, log: Log): Router {
  const simulated = mode === 'sandbox';
  const { place, show, take } = kind;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(`/${place}`, guarded(NEVER_FRAMED));
  const look: RequestHandler = async (req, res) => {
    sendPage(res, { ...(await show(tokenOf(req))), simulated }, NEVER_FRAMED);
  };
  const send: RequestHandler = async (req, res) => {
    const token = tokenOf(req);
    const sent = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
    try {
      await take(token, sent);
      res.redirect(303, `${hostedAddress(req, `${place}/${token}`)}#step`);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const page = await show(token, { fault: error.message, sent });
      sendPage(res, { ...page, simulated }, NEVER_FRAMED, 400);
    }
  };
  router
    .route(`/${place}/:token`)
    .all((_req, res, next) => {
      res.locals['operation'] = place;
      next();
    })
    .get(look)
    .post(express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT }), send)
    .all(refuseMethods('GET, HEAD, POST'));
  const pages = {
    unknown: { ...unknownPage(), simulated: false },
    trouble: { ...troublePage(), simulated: false },
  };
  router.use(`/${place}`, nowhere, errorPages(pages, NEVER_FRAMED, log));
  return router;
}

const nowhere: RequestHandler = () => {
  throw new NotFound('Link');
};

function tokenOf(req: Request): string {
  return String(req.params['token']);
}
