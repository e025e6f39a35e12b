import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Invited } from '../../db/applications/invited.ts';
import { handOverLead, leaveApplication, listCandidates } from '../../jobs/invitations/part.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import type { Guest } from './document-pages.ts';
import { textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';
import { partPage } from './views/part.ts';

/** The person who takes part behind a link. */
export type Member = Guest & Pick<Invited, 'applicationId' | 'isLead'>;

interface Place {
  /** The first part of the path of the link. */
  place: 'invitation' | 'onboarding';
  /** @returns undefined while the person does not take part, or the link has expired @throws NotFound */
  member(token: string): Promise<Member | undefined>;
  simulated: boolean;
}

/** The page where a person hands over the lead, or leaves the application. */
export function partPages(runtime: Pick<Runtime, 'db' | 'now'>, { place, member, simulated }: Place): Router {
  const linkTo = (req: Request, below = '') => pageAddress(req, `${place}/${req.params['token']}${below}`);
  const admitted =
    (serve: (who: Member, req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      const found = await member(String(req.params['token']));
      if (found) await serve(found, req, res);
      else res.redirect(303, linkTo(req, '#step'));
    };
  const show = async (who: Member, req: Request, res: Response, isWrong = false) => {
    const links = { leave: linkTo(req, '/part/leave'), lead: linkTo(req, '/part/lead'), back: linkTo(req) };
    const candidates = who.isLead ? await listCandidates(runtime.db, who) : [];
    const page = partPage(textsFor(req), { ...who, candidates, ...links, isWrong });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED, isWrong ? 400 : 200);
  };
  const leave = admitted(async (who, req, res) => {
    await leaveApplication(runtime, who);
    res.redirect(303, linkTo(req, '#step'));
  });
  const lead = admitted(async (who, req, res) => {
    const to = formOf(req).get('to');
    if (to === null) return show(who, req, res, true);
    await handOverLead(runtime, who, to);
    res.redirect(303, linkTo(req, '/part#step'));
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
