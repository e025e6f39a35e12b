import type { Knex } from 'knex';
import type { Database } from '../connection/connect.ts';

/** Finds what was kept for long enough. Each query gives one column `id`, the oldest first. */
export type Due = (db: Database, before: string, now: Date) => Knex.QueryBuilder<Found, Found[]>;

interface Found {
  id: string;
}

/** All tables alike. */
function rows(db: Database, table: string) {
  return db<Found>(table);
}

export const dueApplications: Due = (db, before) =>
  rows(db, 'applications')
    .where('updated_at', '<', before)
    .whereNotExists(
      db('payments')
        .join('participants', 'participants.id', 'payments.participant_id')
        .where('participants.application_id', db.ref('applications.id'))
        .where('payments.created_at', '>=', before)
        .select(db.raw('1')),
    )
    .orderBy('updated_at')
    .select('id');

export const dueRemovedParticipants: Due = (db, before) =>
  rows(db, 'participants').where('removed_at', '<', before).orderBy('removed_at').select('id');

/** Who takes part in nothing, and has not since then. */
export const dueAccounts: Due = (db, before) =>
  rows(db, 'tenants')
    .where('created_at', '<', before)
    .where((forgotten) => forgotten.whereNull('last_took_part_at').orWhere('last_took_part_at', '<', before))
    .whereNotExists(
      db('participants')
        .where('participants.comparable_email', db.ref('tenants.comparable_email'))
        .where((recent) => recent.whereNull('removed_at').orWhere('removed_at', '>=', before))
        .select(db.raw('1')),
    )
    .orderBy('created_at')
    .select('id');

export const dueDocuments: Due = (db, before) =>
  rows(db, 'documents').where('created_at', '<', before).orderBy('created_at').select('id');

const told = (table: 'kyc_verifications' | 'forensic_runs'): Due => {
  return (db, before) =>
    rows(db, table)
      .where('finished_at', '<', before)
      .whereRaw('(result is not null or failure is not null)')
      .orderBy('finished_at')
      .select('id');
};
export const dueKycResults = told('kyc_verifications');
export const dueAnalyses = told('forensic_runs');

export const dueEidFlows: Due = (db, before) =>
  rows(db, 'eid_flows').where('finished_at', '<', before).orderBy('finished_at').select('id');

/** Those of flows that are over; the others are still needed. */
export const dueEidAttempts: Due = (db, before) =>
  rows(db, 'eid_attempts')
    .where('created_at', '<', before)
    .whereExists(
      db('eid_flows')
        .where('eid_flows.id', db.ref('eid_attempts.flow_id'))
        .whereNotNull('finished_at')
        .select(db.raw('1')),
    )
    .orderBy('created_at')
    .select<Found[]>('state_hash as id');

/** Those that are over, and whose links are. Whoever may still answer may be invited again by theirs. */
export const dueInvites: Due = (db, before, now) =>
  rows(db, 'invites')
    .where('finished_at', '<', before)
    .where((over) => over.whereNull('expires_at').orWhere('expires_at', '<', now.toISOString()))
    .whereNotExists(
      db('participants')
        .where('participants.id', db.ref('invites.participant_id'))
        .where({ consent_status: 'pending' })
        .whereNull('removed_at')
        .select(db.raw('1')),
    )
    .orderBy('finished_at')
    .select('id');

export const dueOnboardingLinks: Due = (db, before) =>
  rows(db, 'onboarding_links').where('expires_at', '<', before).orderBy('expires_at').select('id');
