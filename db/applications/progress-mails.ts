import type { Knex } from 'knex';
import { UNKNOWN_KEY } from '../../core/party.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import type { MailTopic } from './invites.ts';

/** A mail that a landlord wants people to get and that is due. */
export interface DueMail {
  /** The row in `invites`; pages are ordered by it. */
  id: string;
  participant_id: string;
  application_id: string;
  about: MailTopic;
}

/** A part of a list. */
export interface Page {
  /** The id of the last one of the page before. */
  after: string;
  limit: number;
}

/** A page of the mails that are due for one API key. */
export interface KeyPage extends Page {
  apiKeyId: string;
}

/** As in the index `applications_aged_by_key`. */
const KEY = `coalesce(applications.api_key_id, '${UNKNOWN_KEY}')`;

export const MAX_REMINDERS = 2;
const REMIND_AFTER_DAYS = 3;
/** Older applications cause no more mails: it bounds what a pass reads. */
const MAX_AGE_DAYS = 60;

/** The API keys of landlords that want such mails, in the order of their ids. */
export function keysWithProgressMails(db: Database, { after, limit }: Page): Promise<string[]> {
  return (
    db('landlord_settings')
      .join('api_keys', 'api_keys.landlord_id', 'landlord_settings.landlord_id')
      // As in the condition of the index, which bound values would not match.
      .whereRaw('(mails_progress = 1 or mails_reminders = 1)')
      .where('api_keys.id', '>', after)
      .orderBy('api_keys.id')
      .limit(limit)
      .pluck('api_keys.id')
  );
}

/** People who accepted since their last mail. */
export function dueConfirmations(db: Database, now: Date, page: KeyPage): Promise<DueMail[]> {
  return due(db, 'confirmation', now, page, (rows) =>
    rows
      .where({ mails_progress: 1, consent_status: 'accepted' })
      .where('invites.answered_at', '>', isoAfter(now, -DAY_MS))
      .where('invites.answered_at', '>', db.ref('invites.finished_at')),
  );
}

/** People whose documents were analysed since their last mail, with no analysis left to run. */
export function dueResults(db: Database, now: Date, page: KeyPage): Promise<DueMail[]> {
  const runs = () =>
    db('forensic_runs')
      .join('tenants', 'tenants.id', 'forensic_runs.tenant_id')
      .where('tenants.comparable_email', db.ref('participants.comparable_email'))
      .where('forensic_runs.api_key_id', db.ref('applications.api_key_id'))
      .select(db.raw('1'));
  const ended = runs()
    .where('forensic_runs.status', 'completed')
    .whereNull('result_of')
    .where('forensic_runs.finished_at', '>', isoAfter(now, -DAY_MS))
    .where('forensic_runs.finished_at', '>', db.ref('invites.finished_at'));
  return due(db, 'result', now, page, (rows) =>
    rows
      .where({ mails_progress: 1, consent_status: 'accepted' })
      .whereExists(ended)
      .whereNotExists(runs().whereIn('forensic_runs.status', ['pending', 'processing'])),
  );
}

/** People whose last mail and answer are some days old. Whether anything is open is not known here: they stay due when nothing is. */
export function dueReminders(db: Database, now: Date, page: KeyPage): Promise<DueMail[]> {
  return due(db, 'reminder', now, page, (rows) =>
    rows
      .where({ mails_reminders: 1, reminders_stopped_at: null })
      .whereNot({ consent_status: 'rejected' })
      .where('invites.finished_at', '<', isoAfter(now, -REMIND_AFTER_DAYS * DAY_MS))
      .where((few) =>
        few
          .whereNull('invites.answered_at')
          .orWhere('invites.answered_at', '<', isoAfter(now, -REMIND_AFTER_DAYS * DAY_MS)),
      )
      .where('invites.expires_at', '>', now.toISOString())
      .where((few) => few.whereNull('reminders').orWhere('reminders', '<', MAX_REMINDERS)),
  );
}

async function due(
  db: Database,
  about: MailTopic,
  now: Date,
  { apiKeyId, after, limit }: KeyPage,
  narrow: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<DueMail[]> {
  const since = isoAfter(now, -MAX_AGE_DAYS * DAY_MS);
  const found: Omit<DueMail, 'about'>[] = await db('applications')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlord_settings', 'landlord_settings.landlord_id', 'api_keys.landlord_id')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('invites', 'invites.participant_id', 'participants.id')
    .where('api_keys.id', apiKeyId)
    .whereRaw(ofKey(db, apiKeyId, since))
    .where('applications.created_at', '>', since)
    // A later mail that was no longer needed ends no other.
    .where((last) =>
      last
        .where('invites.status', 'sent')
        .orWhere((needless) => needless.where('invites.status', 'cancelled').whereNotNull('invites.about')),
    )
    .whereNull('participants.removed_at')
    .where('invites.id', '>', after)
    .orderBy('invites.id')
    .limit(limit)
    .modify(narrow)
    .select('invites.id', 'participants.id as participant_id', 'application_id');
  return found.map((mail) => ({ ...mail, about }));
}

/** Narrows to the index of each dialect: what is older, or another key's, is not read. */
function ofKey(db: Database, apiKeyId: string, since: string) {
  return dialectOf(db) === 'postgres'
    ? db.raw('applications.api_key_id = ?', [apiKeyId])
    : db.raw(`${KEY} = ? and applications.updated_at > ?`, [apiKeyId, since]);
}

export async function countReminder(trx: Transaction, participantId: string): Promise<void> {
  await trx('invites')
    .where({ participant_id: participantId })
    .update({ reminders: trx.raw('coalesce(reminders, 0) + 1') });
}

/** The person wants no more reminders for this application. */
export async function stopReminders(trx: Transaction, participantId: string, now: Date): Promise<void> {
  await trx('invites')
    .where({ participant_id: participantId, reminders_stopped_at: null })
    .update({ reminders_stopped_at: now.toISOString() });
}
