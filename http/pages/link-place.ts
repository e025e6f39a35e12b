import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { on } from '../../core/errors.ts';
import type { LinkHolder } from '../../jobs/invitations/consent.ts';
import { NoLongerTakesPart, type RemovedHolder } from '../../jobs/invitations/removed.ts';
import { pageAddress } from './views/addresses.ts';

/** The links of one kind that people received, below which all of their pages are. */
export interface LinkPlace {
  /** The first segment of the links' path, which is also their name in the request log. */
  place: 'invitation' | 'onboarding';
  /** @throws NotFound, NoLongerTakesPart */
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
type Serve<Holder> = (who: Holder, req: Request, res: Response) => unknown;

/** Admits the holders of links of whom `isAdmitted` is true, and leads other holders to the first page of their link. */
export function admitting<Holder = LinkHolder>(
  links: Pick<LinkPlace, 'place'> & { find(token: string): Promise<Holder> },
  isAdmitted: (who: Holder) => boolean,
): (serve: Serve<Holder>) => RequestHandler {
  return (serve) => async (req, res) => {
    const who = await links.find(tokenOf(req));
    if (isAdmitted(who)) await serve(who, req, res);
    else res.redirect(303, linkTo(links, req, '#step'));
  };
}

/** The same links, for what removed people may still see, too. */
export function alsoRemoved({ place, find }: Pick<LinkPlace, 'place' | 'find'>) {
  const removed = on(NoLongerTakesPart, ({ holder }) => holder);
  return { place, find: (token: string): Promise<LinkHolder | RemovedHolder> => find(token).catch(removed) };
}

/** Leads removed people to the first page of their link, which tells them so. */
export function leadRemoved(links: Pick<LinkPlace, 'place'>): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (error instanceof NoLongerTakesPart) res.redirect(303, linkTo(links, req, '#step'));
    else next(error);
  };
}

/** They accepted, and the link is still valid. */
export const mayUpload = (who: LinkHolder) => who.mayUpload;
