import { type Request, type Response, Router } from 'express';
import type { LinkHolder } from '../../jobs/invitations/consent.ts';
import { handOverLead, leaveApplication, listCandidates } from '../../jobs/invitations/part.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { admitting, type LinkPlace, linkTo, mayUpload } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';
import { partPage } from './views/part.ts';

/** The page where a person hands over the lead, or leaves the application. */
export function partPages(runtime: Pick<Runtime, 'db' | 'now'>, links: LinkPlace): Router {
  const { place, simulated } = links;
  const admitted = admitting(links, mayUpload);
  const show = async (who: LinkHolder, req: Request, res: Response, isWrong = false) => {
    const addresses = {
      leave: linkTo(links, req, '/part/leave'),
      lead: linkTo(links, req, '/part/lead'),
      back: linkTo(links, req),
    };
    const candidates = who.isLead ? await listCandidates(runtime.db, who) : [];
    const page = partPage(textsFor(req), { ...who, candidates, ...addresses, isWrong });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED, isWrong ? 400 : 200);
  };
  const leave = admitted(async (who, req, res) => {
    await leaveApplication(runtime, who);
    res.redirect(303, linkTo(links, req, '#step'));
  });
  const lead = admitted(async (who, req, res) => {
    const to = formOf(req).get('to');
    if (to === null) return show(who, req, res, true);
    await handOverLead(runtime, who, to);
    res.redirect(303, linkTo(links, req, '/part#step'));
  });
  const router = Router({ caseSensitive: true, strict: true });
  const route = (path: string) => router.route(`/:token/part${path}`).all(named(`${place}Part`));
  route('')
    .get(admitted((who, req, res) => show(who, req, res)))
    .all(refuseMethods('GET, HEAD'));
  route('/leave').post(readForm, leave).all(refuseMethods('POST'));
  route('/lead').post(readForm, lead).all(refuseMethods('POST'));
  return router;
}
