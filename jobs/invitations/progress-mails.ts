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
  type KeyPage,
  keysWithProgressMails,
  stopReminders as storeStop,
} from '../../db/applications/progress-mails.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { mailPerson } from './person-mail.ts';
import { findProgress } from './progress.ts';

type Passing = Pick<Runtime, 'db' | 'queue' | 'keys' | 'invitationLifetimeMs' | 'now' | 'log'>;

/** How many of each kind. */
const MAX_MAILS_PER_PASS = 200;
const MAX_KEYS_PER_PASS = 100;

/**
 * Sends the confirmations, results and reminders that are due, for landlords who want them:
 * 1. A mail that was sent is newer than its cause, so nothing is sent twice.
 * 2. A reminder names what is still open, and nothing open means no reminder.
 * 3. Each pass takes the same number of each API key, in turn, and what is left of keys with more: none waits for the people of
 *    another. A pass continues behind a key's last person of the pass before: people with nothing open and those whose mail fails hold up
 *    no others.
 */
export function sendProgressMails(runtime: Passing): () => Promise<void> {
  const { db, now, log } = runtime;
  const keysInTurn = pageByPage<string>(MAX_KEYS_PER_PASS, (apiKeyId) => apiKeyId);
  const kinds = [dueConfirmations, dueResults, dueReminders].map((find) => dueInTurn((page) => find(db, now(), page)));
  return async () => {
    const apiKeys = await keysInTurn((page) => keysWithProgressMails(db, page));
    const failures = new Failures();
    for (const due of kinds)
      for (const mail of await due(apiKeys))
        await send(runtime, mail).catch((err: unknown) => {
          log.warn({ err, invite: mail.id, about: mail.about }, 'mail about progress not sent: tried again');
          failures.add(err);
        });
  };
}

/** Reads what is due of each API key, behind what it read before. */
function dueInTurn(find: (page: KeyPage) => Promise<DueMail[]>) {
  const positions = new Map<string, string>();
  return async (apiKeys: readonly string[]): Promise<DueMail[]> => {
    const found: DueMail[] = [];
    for (let asked = apiKeys; asked.length > 0 && found.length < MAX_MAILS_PER_PASS; ) {
      const left = MAX_MAILS_PER_PASS - found.length;
      const limit = Math.max(1, Math.floor(left / asked.length));
      const withMore: string[] = [];
      for (const apiKeyId of asked.slice(0, left)) {
        const page = await find({ apiKeyId, after: positions.get(apiKeyId) ?? '', limit });
        found.push(...page);
        const last = page.at(-1);
        const hasMore = last !== undefined && page.length === limit;
        if (hasMore) withMore.push(apiKeyId);
        if (hasMore) positions.set(apiKeyId, last.id);
        else positions.delete(apiKeyId);
      }
      asked = withMore;
    }
    return found;
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
