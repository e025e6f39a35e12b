import { NotFound } from '../../core/errors.ts';
import { Failures } from '../../core/failures.ts';
import { pageByPage } from '../../core/page-by-page.ts';
import { onboardingStatus } from '../../core/rules/onboarding.ts';
import { lockAnyApplication } from '../../db/applications/applications.ts';
import { findInvited } from '../../db/applications/invited.ts';
import {
  countReminder,
  type DueMail,
  dueConfirmations,
  dueReminders,
  dueResults,
  stopReminders as storeStop,
  wantsProgressMails,
} from '../../db/applications/progress-mails.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { mailPerson } from './person-mail.ts';
import { findProgress } from './progress.ts';

type Passing = Pick<Runtime, 'db' | 'queue' | 'keys' | 'invitationLifetimeMs' | 'now' | 'log'>;

const MAX_MAILS_PER_PASS = 200;

/**
 * Sends the confirmations, results and reminders that are due, for landlords who want them:
 * 1. A mail that was sent is newer than its cause, so nothing is sent twice.
 * 2. A reminder names what is still open, and nothing open means no reminder.
 * 3. Each pass continues behind the last person of the one before. People with nothing open, of whom one landlord may have many, and
 *    those whose mail fails hold up no others.
 */
export function sendProgressMails(runtime: Passing): () => Promise<void> {
  const { db, now, log } = runtime;
  const kinds = [dueConfirmations, dueResults, dueReminders].map((find) => {
    const next = pageByPage<DueMail>(MAX_MAILS_PER_PASS, ({ id }) => id);
    return () => next((page) => find(db, now(), page));
  });
  return async () => {
    if (!(await wantsProgressMails(db))) return;
    const failures = new Failures();
    for (const next of kinds)
      for (const mail of await next())
        await send(runtime, mail).catch((err: unknown) => {
          log.warn({ err, invite: mail.id, about: mail.about }, 'mail about progress not sent: tried again');
          failures.add(err);
        });
  };
}

async function send(runtime: Passing, { participant_id, application_id, about }: DueMail): Promise<void> {
  const { db, now } = runtime;
  await inTransaction(db, async (trx) => {
    await lockAnyApplication(trx, application_id);
    const invited = await findInvited(trx, participant_id);
    if (!invited || invited.consent === 'rejected') return;
    if (about === 'reminder') {
      const hasProfile = onboardingStatus(invited.profile, now()) === 'COMPLETED';
      const person = { ...invited, participantId: participant_id, hasProfile };
      const { steps } = await findProgress({ ...runtime, db: trx }, person, 'invitation');
      if (!steps.some(({ state }) => state === 'open')) return;
      await countReminder(trx, participant_id);
    }
    await mailPerson(trx, runtime, participant_id, about, now());
  }).catch((error: unknown) => {
    // Erased meanwhile.
    if (!(error instanceof NotFound)) throw error;
  });
}

/** The person wants no more reminders. Idempotent. */
export function stopReminders(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { participantId }: { participantId: string },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await storeStop(trx, participantId, now());
    await recordAudit(trx, { kind: 'person', id: participantId }, 'participant.stop-reminders', participantId, now());
  });
}
