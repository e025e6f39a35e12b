import type { Knex } from 'knex';
import type { Database } from './connect.ts';

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
  rows(db, 'applications').where('updated_at', '<', before).orderBy('updated_at').select('id');

export const dueRemovedParticipants: Due = (db, before) =>
  rows(db, 'participants').where('removed_at', '<', before).orderBy('removed_at').select('id');

/** Who takes part in nothing, and has not since then. */
export const dueAccounts: Due = (db, before) =>
  rows(db, 'tenants')
    .where('created_at', '<', before)
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
    .whereIn('flow_id', db('eid_flows').whereNotNull('finished_at').select('id'))
    .orderBy('created_at')
    .select<Found[]>('state_hash as id');

/** Those that are over, and whose links are. */
export const dueInvites: Due = (db, before, now) =>
  rows(db, 'invites')
    .where('finished_at', '<', before)
    .where((over) => over.whereNull('expires_at').orWhere('expires_at', '<', now.toISOString()))
    .orderBy('finished_at')
    .select('id');

export const dueOnboardingLinks: Due = (db, before) =>
  rows(db, 'onboarding_links').where('expires_at', '<', before).orderBy('expires_at').select('id');
