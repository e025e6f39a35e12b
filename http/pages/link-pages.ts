import { type Request, type RequestHandler, Router } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { readPersonName } from '../../core/rules/person-name.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Holding } from '../../jobs/documents/upload-pieces.ts';
import { listUploads, type Uploading } from '../../jobs/documents/uploads.ts';
import { type Answer, answerInvitation, findInvitation, NO_ANSWER } from '../../jobs/invitations/consent.ts';
import { completeOnboarding, declineOnboarding, findOnboarding } from '../../jobs/invitations/onboarding.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { formOf, readForm } from '../api/read-request.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { documentPages, type Guest } from './document-pages.ts';
import { invitationPage } from './views/invitation.ts';
import { type LinkView, type Mistake, troublePage, unknownPage } from './views/link-states.ts';
import { onboardingPage } from './views/onboarding.ts';
import { errorPages, guarded, hostedAddress, NEVER_FRAMED, sendPage, type UnmarkedPage } from './views/page.ts';

/** The pages behind one kind of link. */
interface LinkKind {
  /** The first part of their path, and what their requests are called in the log. */
  place: 'invitation' | 'onboarding';
  /** @throws NotFound */
  show(token: string, mistake?: Mistake): Promise<UnmarkedPage>;
  /** Applies the submitted form. @throws NotFound, ValidationError with a message for the person */
  take(token: string, sent: URLSearchParams): Promise<void>;
  /** Who may upload; undefined while the person may not. @throws NotFound */
  guest(token: string): Promise<Guest | undefined>;
}

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
  runtime: Pick<Runtime, 'db' | 'profileDays' | 'now' | 'log'> & Uploading & Holding,
  { mode, documents }: Pick<Config, 'mode' | 'documents'>,
): Router {
  const { db, now, log } = runtime;
  const viewOf = async (token: string, person: Guest & { mayUpload: boolean }): Promise<LinkView> => ({
    token,
    documents: person.mayUpload ? (await listUploads(runtime, person)).length : 0,
  });
  const kinds: LinkKind[] = [
    {
      place: 'invitation',
      show: async (token, mistake) => {
        const invitation = await findInvitation(db, token, now());
        return invitationPage(invitation, await viewOf(token, invitation), mistake);
      },
      take: async (token, sent) => {
        const answer = answers.get(sent.get('answer'));
        if (!answer) throw new ValidationError([], NO_ANSWER);
        await answerInvitation(db, token, answer, now());
      },
      guest: async (token) => {
        const invitation = await findInvitation(db, token, now());
        return invitation.mayUpload ? invitation : undefined;
      },
    },
    {
      place: 'onboarding',
      show: async (token, mistake) => {
        const onboarding = await findOnboarding(db, token, now());
        return onboardingPage(onboarding, await viewOf(token, onboarding), mistake);
      },
      take: async (token, sent) => {
        const answer = answers.get(sent.get('answer'));
        if (answer === 'rejected') return declineOnboarding(runtime, token, now());
        await completeOnboarding(runtime, token, { name: readPersonName(sent.get('name') ?? ''), answer }, now());
      },
      guest: async (token) => {
        const onboarding = await findOnboarding(db, token, now());
        return onboarding.mayUpload ? onboarding : undefined;
      },
    },
  ];
  const router = Router({ caseSensitive: true, strict: true });
  const simulated = mode === 'sandbox';
  for (const kind of kinds) {
    const { place, guest } = kind;
    router.use(`/${place}`, guarded(NEVER_FRAMED));
    router.use(`/${place}`, documentPages(runtime, { place, guest, limitMib: documents.limitMib, simulated }));
    addPages(router, kind, simulated, log);
  }
  return router;
}

function addPages(router: Router, { place, show, take }: LinkKind, simulated: boolean, log: Runtime['log']): void {
  const look: RequestHandler = async (req, res) => {
    sendPage(res, { ...(await show(tokenOf(req))), simulated }, NEVER_FRAMED);
  };
  const send: RequestHandler = async (req, res) => {
    const token = tokenOf(req);
    const sent = formOf(req);
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
    .all(named(place))
    .get(look)
    .post(readForm, send)
    .all(refuseMethods('GET, HEAD, POST'));
  const pages = { unknown: unknownPage(), trouble: troublePage(), simulated: false };
  router.use(`/${place}`, nowhere('Link'), errorPages(pages, NEVER_FRAMED, log));
}

function tokenOf(req: Request): string {
  return String(req.params['token']);
}
