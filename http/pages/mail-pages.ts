import { type Request, type RequestHandler, type Response, Router } from 'express';
import { renewLink } from '../../jobs/invitations/person-mail.ts';
import { stopReminders } from '../../jobs/invitations/progress-mails.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { textsFor } from './page-language.ts';
import { accessibilityPage } from './views/accessibility.ts';
import { pageAddress } from './views/addresses.ts';
import type { Host } from './views/brand.ts';
import { NEVER_FRAMED, sendPage, type UnmarkedPage } from './views/page.ts';
import { remindersPage, remindersStoppedPage, renewedPage, renewPage } from './views/part.ts';

interface Person {
  participantId: string;
}

interface Place {
  /** The first part of the path of the link. */
  place: 'invitation' | 'onboarding';
  /** The person behind an expired link who may have another; undefined otherwise. @throws NotFound */
  renewing(token: string): Promise<(Person & Host) | undefined>;
  /** The person who may get reminders. @throws NotFound */
  reminded(token: string): Promise<Person & Host>;
  simulated: boolean;
}

/** What every link opens, also an expired one: another link, no more reminders, and the accessibility statement. */
export function mailPages(
  runtime: Parameters<typeof renewLink>[0] & Parameters<typeof stopReminders>[0],
  { place, renewing, reminded, simulated }: Place,
): Router {
  const here = (req: Request, below: string) => pageAddress(req, `${place}/${req.params['token']}${below}`);
  const send = (res: Response, host: Host, page: UnmarkedPage) =>
    sendPage(res, { ...page, host, simulated }, NEVER_FRAMED);
  const expired =
    (then: (who: Person & Host, req: Request) => UnmarkedPage | Promise<UnmarkedPage>): RequestHandler =>
    async (req, res) => {
      const who = await renewing(String(req.params['token']));
      if (who) send(res, who, await then(who, req));
      else res.redirect(303, here(req, '#step'));
    };
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/:token/renew')
    .all(named(`${place}Renew`))
    .get(expired((_who, req) => renewPage(textsFor(req), here(req, '/renew'))))
    .post(
      readForm,
      expired(async (who, req) => {
        await renewLink(runtime, who);
        return renewedPage(textsFor(req));
      }),
    )
    .all(refuseMethods('GET, HEAD, POST'));
  router
    .route('/:token/accessibility')
    .all(named(`${place}Accessibility`))
    .get(async (req, res) => {
      const who = await reminded(String(req.params['token']));
      send(res, who, accessibilityPage(textsFor(req), who, here(req, '')));
    })
    .all(refuseMethods('GET, HEAD'));
  router
    .route('/:token/reminders')
    .all(named(`${place}Reminders`))
    .get(async (req, res) => {
      const who = await reminded(String(req.params['token']));
      send(res, who, remindersPage(textsFor(req), here(req, '/reminders')));
    })
    // Mail programs send it without a page (RFC 8058).
    .post(readForm, async (req, res) => {
      const who = await reminded(String(req.params['token']));
      await stopReminders(runtime, who);
      send(res, who, remindersStoppedPage(textsFor(req)));
    })
    .all(refuseMethods('GET, HEAD, POST'));
  return router;
}
