import { type Request, type RequestHandler, Router } from 'express';
import { on } from '../../core/errors.ts';
import { FormMistake } from '../../core/rules/form-mistake.ts';
import { readPersonName } from '../../core/rules/person-name.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Connecting } from '../../jobs/banking/connections.ts';
import type { Holding } from '../../jobs/documents/upload-pieces.ts';
import type { Uploading } from '../../jobs/documents/uploads.ts';
import {
  type Answer,
  answerInvitation,
  completeInvitedProfile,
  findInvitation,
} from '../../jobs/invitations/consent.ts';
import { type HandOverPlace, handOverCode } from '../../jobs/invitations/hand-over.ts';
import { completeOnboarding, declineOnboarding, findOnboarding } from '../../jobs/invitations/onboarding.ts';
import { findProgress, type Person } from '../../jobs/invitations/progress.ts';
import { NoLongerTakesPart } from '../../jobs/invitations/removed.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { faultOf, formOf, readOwnForm } from '../edge/form.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { bankPages } from './bank-pages.ts';
import { copyTurnsOfPeople, dataPages } from './data-pages.ts';
import { documentPages } from './document-pages.ts';
import { type LinkPlace, leadRemoved, tokenOf } from './link-place.ts';
import { mailPages } from './mail-pages.ts';
import { textsFor } from './page-language.ts';
import { partPages } from './part-pages.ts';
import { phonePages } from './phone-pages.ts';
import { pageAddress } from './views/addresses.ts';
import { invitationPage, removedPage } from './views/invitation.ts';
import { type LinkView, type Mistake, troublePage, unknownPage } from './views/link-states.ts';
import { onboardingPage } from './views/onboarding.ts';
import { errorPages, guarded, NEVER_FRAMED, sendPage, type UnmarkedPage } from './views/page.ts';
import { rememberHome } from './way-home.ts';

/** The pages behind one kind of link. */
interface LinkKind extends LinkPlace {
  /** @throws NotFound, NoLongerTakesPart */
  show(token: string, link: Link, mistake?: Mistake): Promise<UnmarkedPage>;
  /** Applies the submitted form. @throws NotFound, FormMistake */
  take(token: string, sent: URLSearchParams): Promise<void>;
}

/** The texts of a page, and the addresses it links to. */
type Link = Pick<LinkView, 't' | 'to' | 'flow'> & { token: string };

/** Values of the buttons to accept or decline. */
const answers = new Map<string | null, Answer>([
  ['accept', 'accepted'],
  ['decline', 'rejected'],
]);

/**
 * Pages behind links that people received, where they accept or decline an invitation, and complete their profile: outside the API,
 * without a session. GET has no side effects, because mail scanners follow links too. Forms need no CSRF token: a forged request would
 * have to know the token in the address, which grants access anyway.
 */
export function linkPages(
  runtime: Pick<Runtime, 'db' | 'profileDays' | 'now' | 'log' | 'keys' | 'publicUrl' | 'invitationLifetimeMs'> &
    Uploading &
    Holding &
    Connecting,
  config: Pick<Config, 'mode' | 'documents' | 'banking' | 'retention'>,
): Router {
  const { db, now } = runtime;
  const { limitMib } = config.documents;
  const simulated = config.mode === 'sandbox';
  const hasBanks = runtime.providers.bank !== undefined;
  const phoneOf = (place: LinkKind['place'], token: string, to: HandOverPlace) =>
    `${runtime.publicUrl()}/${place}/phone/${handOverCode(token, runtime, to)}`;
  const viewOf = async (link: Link, person: Person, place: LinkKind['place']): Promise<LinkView> => ({
    ...link,
    progress: await findProgress(runtime, person, place),
    phone: phoneOf(place, link.token, 'home'),
    hasBanks,
  });
  const kinds: LinkKind[] = [
    {
      place: 'invitation',
      find: (token) => findInvitation(db, token, now()),
      simulated,
      show: async (token, link, mistake) => {
        const invitation = await findInvitation(db, token, now());
        return {
          ...invitationPage(invitation, await viewOf(link, invitation, 'invitation'), mistake),
          host: invitation,
        };
      },
      take: async (token, sent) => {
        const name = sent.get('name');
        if (name !== null && !sent.has('answer'))
          return completeInvitedProfile(runtime, token, readPersonName(name), now());
        const answer = answers.get(sent.get('answer'));
        if (!answer) throw new FormMistake('no-answer');
        await answerInvitation(db, token, answer, now());
      },
    },
    {
      place: 'onboarding',
      find: (token) => findOnboarding(db, token, now()),
      simulated,
      show: async (token, link, mistake) => {
        const onboarding = await findOnboarding(db, token, now());
        return {
          ...onboardingPage(onboarding, await viewOf(link, onboarding, 'onboarding'), mistake),
          host: onboarding,
        };
      },
      take: async (token, sent) => {
        const answer = answers.get(sent.get('answer'));
        if (answer === 'rejected') return declineOnboarding(runtime, token, now());
        await completeOnboarding(runtime, token, { name: readPersonName(sent.get('name') ?? ''), answer }, now());
      },
    },
  ];
  const router = Router({ caseSensitive: true, strict: true });
  // Shared by both kinds of links.
  const copies = copyTurnsOfPeople();
  for (const kind of kinds) {
    const { place } = kind;
    const phoneAddress = (token: string) => phoneOf(place, token, 'documents');
    router.use(`/${place}`, guarded(NEVER_FRAMED));
    router.use(`/${place}/phone`, phonePages(runtime, kind));
    router.use(`/${place}`, documentPages(runtime, kind, { limitMib, hasBanks, phoneAddress }));
    if (hasBanks) router.use(`/${place}`, bankPages(runtime, kind, config));
    router.use(`/${place}`, dataPages(runtime, kind, copies));
    router.use(`/${place}`, partPages(runtime, kind));
    router.use(`/${place}`, mailPages(runtime, kind));
    addPages(router, kind, runtime);
  }
  return router;
}

function addPages(
  router: Router,
  { place, find, show, take, simulated }: LinkKind,
  { log, publicUrl }: Pick<Runtime, 'log' | 'publicUrl'>,
): void {
  const linkOf = (req: Request): Link => ({
    t: textsFor(req),
    to: (below) => pageAddress(req, `${place}/${tokenOf(req)}/${below}`),
    flow: (kind, token) => pageAddress(req, `verify/${kind}/${token}`),
    token: tokenOf(req),
  });
  const look: RequestHandler = async (req, res) => {
    const removed = on(NoLongerTakesPart, ({ holder }) => removedPage(holder, linkOf(req)));
    const page = await show(tokenOf(req), linkOf(req)).catch(removed);
    rememberHome(res, place, tokenOf(req), { publicUrl });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED);
  };
  const send: RequestHandler = async (req, res) => {
    const token = tokenOf(req);
    const sent = formOf(req);
    try {
      if (faultOf(req)) throw new FormMistake('unusable');
      await take(token, sent);
      res.redirect(303, pageAddress(req, `${place}/${token}#step`));
    } catch (error) {
      if (!(error instanceof FormMistake)) throw error;
      const page = await show(token, linkOf(req), { fault: error.mistake, sent });
      sendPage(res, { ...page, simulated }, NEVER_FRAMED, 400);
    }
  };
  /** Strangers send no long form. */
  const known: RequestHandler = async (req, _res, next) => {
    await find(tokenOf(req));
    next();
  };
  router
    .route(`/${place}/:token`)
    .all(named(place))
    .get(look)
    .post(known, readOwnForm, send)
    .all(refuseMethods('GET, HEAD, POST'));
  const pages = { unknown: unknownPage, trouble: troublePage, simulated: false };
  router.use(`/${place}/:token`, leadRemoved({ place }));
  router.use(`/${place}`, nowhere('Link'), errorPages(pages, NEVER_FRAMED, log));
}
