import type { Request, RequestHandler, Response } from 'express';
import type { LinkHolder } from '../../jobs/invitations/consent.ts';
import { pageAddress } from './views/addresses.ts';

/** The links of one kind that people received, below which all of their pages are. */
export interface LinkPlace {
  /** The first segment of the links' path, which is also their name in the request log. */
  place: 'invitation' | 'onboarding';
  /** @throws NotFound */
  find(token: string): Promise<LinkHolder>;
  simulated: boolean;
}

/** The address of the link of a request, or of a page below it. */
export function linkTo({ place }: Pick<LinkPlace, 'place'>, req: Request, below = ''): string {
  return pageAddress(req, `${place}/${tokenOf(req)}${below}`);
}

export function tokenOf(req: Request): string {
  return String(req.params['token']);
}

/** What serves the holder of a link. */
type Serve = (who: LinkHolder, req: Request, res: Response) => unknown;

/** Admits the holders of links of whom `isAdmitted` is true, and leads other holders to the first page of their link. */
export function admitting(
  links: LinkPlace,
  isAdmitted: (who: LinkHolder) => boolean,
): (serve: Serve) => RequestHandler {
  return (serve) => async (req, res) => {
    const who = await links.find(tokenOf(req));
    if (isAdmitted(who)) await serve(who, req, res);
    else res.redirect(303, linkTo(links, req, '#step'));
  };
}

/** They accepted, and the link is still valid. */
export const mayUpload = (who: LinkHolder) => who.mayUpload;
