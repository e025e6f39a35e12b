import { type Response, Router } from 'express';
import { renewLink } from '../../jobs/invitations/person-mail.ts';
import { stopReminders } from '../../jobs/invitations/progress-mails.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { admitting, alsoRemoved, type LinkPlace, linkTo, tokenOf } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { accessibilityPage } from './views/accessibility.ts';
import type { Host } from './views/brand.ts';
import { NEVER_FRAMED, sendPage, type UnmarkedPage } from './views/page.ts';
import { remindersPage, remindersStoppedPage, renewedPage, renewPage } from './views/part.ts';

/** What every link opens, also an expired one: another link, no more reminders, and the accessibility statement. */
export function mailPages(
  runtime: Parameters<typeof renewLink>[0] & Parameters<typeof stopReminders>[0],
  links: LinkPlace,
): Router {
  const { place, find, simulated } = links;
  const send = (res: Response, host: Host, page: UnmarkedPage) =>
    sendPage(res, { ...page, host, simulated }, NEVER_FRAMED);
  const renewing = admitting(links, ({ isExpired, consent }) => isExpired && consent !== 'rejected');
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/:token/renew')
    .all(named(`${place}Renew`))
    .get(renewing((who, req, res) => send(res, who, renewPage(textsFor(req), linkTo(links, req, '/renew')))))
    .post(
      readForm,
      renewing(async (who, req, res) => {
        await renewLink(runtime, who);
        send(res, who, renewedPage(textsFor(req)));
      }),
    )
    .all(refuseMethods('GET, HEAD, POST'));
  router
    .route('/:token/accessibility')
    .all(named(`${place}Accessibility`))
    .get(async (req, res) => {
      const who = await alsoRemoved(links).find(tokenOf(req));
      send(res, who, accessibilityPage(textsFor(req), who, linkTo(links, req)));
    })
    .all(refuseMethods('GET, HEAD'));
  router
    .route('/:token/reminders')
    .all(named(`${place}Reminders`))
    .get(async (req, res) => {
      const who = await find(tokenOf(req));
      send(res, who, remindersPage(textsFor(req), linkTo(links, req, '/reminders')));
    })
    // Mail programs send it without a page (RFC 8058).
    .post(readForm, async (req, res) => {
      const who = await find(tokenOf(req));
      await stopReminders(runtime, who);
      send(res, who, remindersStoppedPage(textsFor(req)));
    })
    .all(refuseMethods('GET, HEAD, POST'));
  return router;
}
