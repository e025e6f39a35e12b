import express, { type Request, type RequestHandler, Router } from 'express';
import { NotFound, ValidationError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { type LinkPage, type Mistake, troublePage, unknownPage } from './views/link-states.ts';
import { errorPages, guarded, hostedAddress, sendPage } from './views/page.ts';

/** What is behind the links that a kind of mail or message carries. */
export interface LinkKind {
  /** The first part of their path, and what their requests are called in the log. */
  place: 'invitation' | 'onboarding';
  /** @throws NotFound */
  show(token: string, mistake?: Mistake): Promise<LinkPage>;
  /** Does what the person asks for. @throws NotFound, ValidationError in words for the person */
  take(token: string, sent: URLSearchParams): Promise<void>;
}

const NEVER_FRAMED = "'none'";
const FORM_LIMIT = '8kb';

/**
 * Pages for people to whom we gave a link: outside the API, and without a session. Looking changes nothing, because programs that
 * guard a mailbox follow links too. What is sent needs no further mark of where the form came from: a forged request would have
 * to know the token in the address, and whoever knows it may answer anyway.
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
