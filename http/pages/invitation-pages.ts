import type { Router } from 'express';
import { ValidationError } from '../../core/errors.ts';
import type { Config } from '../../core/settings/config.ts';
import { type Answer, answerInvitation, findInvitation } from '../../jobs/invitations/consent.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { linkPages } from './link-pages.ts';
import { invitationPage } from './views/invitation.ts';

/** Values of the page's buttons. */
const answers = new Map<string | null, Answer>([
  ['accept', 'accepted'],
  ['decline', 'rejected'],
]);

/** The page behind the link of an invitation, where a person accepts or declines. */
export function invitationPages(
  { db, now, log }: Pick<Runtime, 'db' | 'now' | 'log'>,
  config: Pick<Config, 'mode'>,
): Router {
  return linkPages(
    {
      place: 'invitation',
      show: async (token, mistake) => invitationPage(await findInvitation(db, token, now()), mistake),
      take: async (token, sent) => {
        const answer = answers.get(sent.get('answer'));
        if (!answer) throw new ValidationError([], 'Choose whether you accept or decline.');
        await answerInvitation(db, token, answer, now());
      },
    },
    config,
    log,
  );
}
