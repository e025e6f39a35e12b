import { forgetStatements } from '../banking/bank-connections.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { deleteReports, deleteReportsAbout, deleteReportsOfApplication } from '../reports/reports.ts';
import { deleteParticipants } from './erasure.ts';
import { openErasureRequest } from './erasure-requests.ts';
import { byAge, type Found, type Purged, type RetentionRule, rows, rowsOfKey } from './retention.ts';

/** Must match the wording of the indexes by age. */
const HAS_OUTCOME = '(result is not null or failure is not null)';

/** The offset has Postgres ask for each row. Without it, it may join or hash, and read all that there is, when it expects many rows. */
const HAS_NONE = { postgres: 'not exists (? offset 0)', sqlite: 'not exists ?' } as const;

/** Parents come first and take their children along. */
export const retentionRules: readonly RetentionRule[] = [
  {
    name: 'applications',
    setting: 'RETAIN_APPLICATIONS_DAYS',
    oldest: byAge('applications', 'updated_at'),
    due: (db, before, _, apiKeyId) =>
      rowsOfKey(db, 'applications', apiKeyId)
        .where('updated_at', '<', before)
        .whereNotExists(
          db('payments')
            .join('participants', 'participants.id', 'payments.participant_id')
            .where('participants.application_id', db.ref('applications.id'))
            .where('payments.created_at', '>=', before)
            .select(db.raw('1')),
        )
        .whereRaw(HAS_NONE[dialectOf(db)], [
          openErasureRequest(db)
            .join('participants', 'participants.id', 'erasure_requests.participant_id')
            .where('participants.application_id', db.ref('applications.id')),
        ])
        .whereRaw(HAS_NONE[dialectOf(db)], [openWork(db, 'kyc_verifications')])
        .whereRaw(HAS_NONE[dialectOf(db)], [openWork(db, 'eid_flows')])
        .whereRaw(HAS_NONE[dialectOf(db)], [openWork(db, 'forensic_runs')])
        .whereRaw(HAS_NONE[dialectOf(db)], [openWork(db, 'bank_connections')])
        .orderBy('updated_at')
        .select('id'),
    purge: async (trx, ids, now) => {
      const participants = await trx('participants').whereIn('application_id', ids).pluck('id');
      const purged = await purgeParticipants(trx, participants, now);
      for (const id of ids) await deleteReportsOfApplication(trx, id);
      return { ...purged, rows: await trx('applications').whereIn('id', ids).delete() };
    },
  },
  {
    name: 'removed participants',
    setting: 'RETAIN_REMOVED_PARTICIPANTS_DAYS',
    ...agedRows('participants', 'removed_at', { narrow: (due, db) => due.whereNotExists(openErasureRequest(db)) }),
    purge: purgeParticipants,
  },
  {
    name: 'documents',
    setting: 'RETAIN_DOCUMENTS_DAYS',
    ...agedRows('documents', 'created_at'),
    purge: async (trx, ids) => {
      const deleted = await trx('documents')
        .whereIn('id', ids)
        .select('sha256', 'created_at', 'tenant_id', 'api_key_id');
      // Reports show pictures of them.
      for (const { tenant_id, api_key_id } of deleted)
        if (api_key_id !== null) await deleteReportsAbout(trx, { tenant_id, api_key_id });
      await trx('document_fingerprints').whereIn('document_id', ids).delete();
      await forgetStatements(trx, ids);
      return {
        rows: await trx('documents').whereIn('id', ids).delete(),
        documents: deleted.map(({ sha256, created_at }) => ({ sha256, createdAt: created_at })),
      };
    },
  },
  {
    name: 'bank connections',
    setting: 'RETAIN_DOCUMENTS_DAYS',
    // That of a statement goes with its document.
    ...agedRows('bank_connections', 'finished_at', { narrow: (due) => due.whereNull('document_id') }),
  },
  {
    name: 'reports',
    setting: 'RETAIN_DOCUMENTS_DAYS',
    ...agedRows('reports', 'created_at', { narrow: (due) => due.whereRaw("created_at > ''") }),
    purge: async (trx, ids) => ({ rows: await deleteReports(trx, ids) }),
  },
  {
    name: 'looks',
    setting: 'RETAIN_DOCUMENTS_DAYS',
    ...agedRows('looks', 'at'),
  },
  // The fact that a verification succeeded stays: the product needs it.
  {
    name: 'KYC results',
    setting: 'RETAIN_VERIFICATIONS_DAYS',
    ...resultsOf('kyc_verifications'),
  },
  {
    name: 'eID flows',
    setting: 'RETAIN_VERIFICATIONS_DAYS',
    ...agedRows('eid_flows', 'finished_at'),
    purge: async (trx, ids) => {
      await trx('eid_attempts').whereIn('flow_id', ids).delete();
      return { rows: await trx('eid_flows').whereIn('id', ids).delete() };
    },
  },
  // Attempts of ended flows; pending flows still need their attempts.
  {
    name: 'eID attempts',
    setting: 'RETAIN_EID_ATTEMPTS_DAYS',
    due: (db, before) =>
      rows(db, 'eid_attempts')
        .where('created_at', '<', before)
        .whereExists(
          db('eid_flows')
            .where('eid_flows.id', db.ref('eid_attempts.flow_id'))
            .whereNotNull('finished_at')
            .select(db.raw('1')),
        )
        .orderBy('created_at')
        .select<Found[]>('state_hash as id'),
    purge: async (trx, ids) => ({ rows: await trx('eid_attempts').whereIn('state_hash', ids).delete() }),
  },
  {
    name: 'analyses',
    setting: 'RETAIN_ANALYSES_DAYS',
    ...resultsOf('forensic_runs'),
    purge: purgeAnalyses,
  },
  // Invitations that are over and whose links have expired. A person who may still answer can be invited again through an existing
  // invitation, which stays.
  {
    name: 'invitations',
    setting: 'RETAIN_INVITATIONS_DAYS',
    oldest: byAge('invites', 'finished_at'),
    due: (db, before, now) =>
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
        .select('id'),
    purge: async (trx, ids) => ({
      rows: await trx('invites').whereIn('id', ids).delete(),
      mailIds: ids,
    }),
  },
  {
    // Their keys, sign-in links, sessions and alerts are deleted with them; the audit log keeps their ids.
    name: 'disabled members',
    setting: 'RETAIN_ACCOUNTS_DAYS',
    ...agedRows('members', 'disabled_at', { index: 'disabled_at is not null' }),
  },
  {
    name: 'onboarding links',
    setting: 'RETAIN_INVITATIONS_DAYS',
    ...agedRows('onboarding_links', 'expires_at'),
  },
];

/** The decisions about a result are deleted with it. */
async function purgeAnalyses(trx: Transaction, ids: string[]): Promise<Purged> {
  await trx('finding_decisions').whereIn('run_id', ids).delete();
  await trx('forensic_runs').whereIn('id', ids).update({ sealed_claims: null });
  return resultsOf('forensic_runs').purge(trx, ids);
}

/**
 * Unfinished work for an application's API key and one of its participants: its result would have no recipient. Ask with
 * `HAS_NONE`.
 */
function openWork(db: Database, table: 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'bank_connections') {
  return db('participants')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .join(table, `${table}.tenant_id`, 'tenants.id')
    .where('participants.application_id', db.ref('applications.id'))
    .whereNull('participants.removed_at')
    .where(`${table}.api_key_id`, db.ref('applications.api_key_id'))
    .whereNull(`${table}.finished_at`)
    .select(db.raw('1'));
}

async function purgeParticipants(trx: Transaction, ids: string[], now: Date): Promise<Purged> {
  const mailIds = await trx('invites').whereIn('participant_id', ids).pluck('id');
  const counts = await deleteParticipants(
    trx,
    ids.map((id) => ({ id })),
    now,
  );
  return { rows: counts['participants'] ?? 0, mailIds };
}

/** Only the results are purged; the rows stay. */
function resultsOf(table: 'kyc_verifications' | 'forensic_runs') {
  return {
    ...agedRows(table, 'finished_at', { index: HAS_OUTCOME, narrow: (due) => due.whereRaw(HAS_OUTCOME) }),
    purge: async (trx: Transaction, ids: string[]): Promise<Purged> => ({
      rows: await trx(table).whereIn('id', ids).update({ result: null, failure: null }),
    }),
  };
}

/**
 * Deletes rows by the age in a column: of a table with API keys, also those of one key alone.
 * @param index the condition of the partial index by age
 * @param narrow leaves out old rows that stay
 */
function agedRows(
  table: string,
  age: string,
  { index, narrow = (due) => due }: { index?: string; narrow?: (due: Rows, db: Database) => Rows } = {},
): Pick<RetentionRule, 'oldest' | 'due' | 'purge'> {
  return {
    oldest: byAge(table, age, index),
    due: (db, before, _, apiKeyId) =>
      narrow(rowsOfKey(db, table, apiKeyId).where(age, '<', before), db)
        .orderBy(age)
        .select('id'),
    purge: async (trx, ids) => ({ rows: await trx(table).whereIn('id', ids).delete() }),
  };
}

type Rows = ReturnType<typeof rowsOfKey>;
