import { type RequestHandler, Router } from 'express';
import { isHandOver, takeHandOver } from '../../jobs/invitations/hand-over.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';
import { handOverPage, noHandOverPage } from './views/phone.ts';

/** A person continues on their phone after scanning a QR code. GET does not use the code up, because link previews open it, too. */
export function phonePages(
  runtime: Pick<Runtime, 'db' | 'keys' | 'now'>,
  { place, simulated }: { place: 'invitation' | 'onboarding'; simulated: boolean },
): Router {
  const over: RequestHandler = (req, res) =>
    sendPage(res, { ...noHandOverPage(textsFor(req)), simulated }, NEVER_FRAMED, 404);
  const look: RequestHandler<{ code: string }> = (req, res, next) => {
    if (isHandOver(req.params.code, runtime))
      sendPage(res, { ...handOverPage(textsFor(req)), simulated }, NEVER_FRAMED);
    else over(req, res, next);
  };
  const take: RequestHandler<{ code: string }> = async (req, res, next) => {
    const taken = await takeHandOver(req.params.code, runtime);
    if (taken === undefined) over(req, res, next);
    else res.redirect(303, pageAddress(req, `${place}/${taken.token}${taken.to === 'home' ? '' : '/documents'}#step`));
  };
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/:code')
    .all(named(`${place}Phone`))
    .get(look)
    .post(readForm, take)
    .all(refuseMethods('GET, HEAD, POST'));
  return router;
}
