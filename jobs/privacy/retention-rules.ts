import type { RetentionSettings } from '../../core/settings/retention-settings.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { deleteParticipants } from '../../db/privacy/erasure.ts';
import * as due from '../../db/privacy/old-data.ts';
import type { GoneDocument } from '../documents/stored-bytes.ts';
import type { Runtime } from '../runtime.ts';

/** What a pass over rows took away, and what is to be done once it is committed. */
export interface Forgotten {
  rows: number;
  workIds?: string[];
  mailIds?: string[];
  documents?: GoneDocument[];
}

/** One kind of data that is kept for a time. */
export interface RetentionRule {
  /** What is forgotten. */
  name: string;
  setting: string;
  kind: keyof RetentionSettings;
  due: due.Due;
  /** Forgets rows that are due. They are locked. */
  forget(trx: Transaction, ids: string[], now: Date): Promise<Forgotten>;
}

/** What is shorter-lived comes after what takes it along. */
export const retentionRules: readonly RetentionRule[] = [
  {
    name: 'applications',
    setting: 'RETAIN_APPLICATIONS_DAYS',
    kind: 'applications',
    due: due.dueApplications,
    forget: forgetApplications,
  },
  {
    name: 'removed participants',
    setting: 'RETAIN_REMOVED_PARTICIPANTS_DAYS',
    kind: 'removedParticipants',
    due: due.dueRemovedParticipants,
    forget: forgetParticipants,
  },
  {
    name: 'documents',
    setting: 'RETAIN_DOCUMENTS_DAYS',
    kind: 'documents',
    due: due.dueDocuments,
    forget: forgetDocuments,
  },
  {
    name: 'KYC results',
    setting: 'RETAIN_VERIFICATIONS_DAYS',
    kind: 'verifications',
    due: due.dueKycResults,
    // That it succeeded stays: the product asks for it.
    forget: (trx, ids) => rows(trx('kyc_verifications').whereIn('id', ids).update({ result: null, failure: null })),
  },
  {
    name: 'eID flows',
    setting: 'RETAIN_VERIFICATIONS_DAYS',
    kind: 'verifications',
    due: due.dueEidFlows,
    forget: forgetEidFlows,
  },
  {
    name: 'eID attempts',
    setting: 'RETAIN_EID_ATTEMPTS_DAYS',
    kind: 'eidAttempts',
    due: due.dueEidAttempts,
    forget: (trx, ids) => rows(trx('eid_attempts').whereIn('state_hash', ids).delete()),
  },
  {
    name: 'analyses',
    setting: 'RETAIN_ANALYSES_DAYS',
    kind: 'analyses',
    due: due.dueAnalyses,
    forget: (trx, ids) => rows(trx('forensic_runs').whereIn('id', ids).update({ result: null, failure: null })),
  },
  {
    name: 'invitations',
    setting: 'RETAIN_INVITATIONS_DAYS',
    kind: 'invitations',
    due: due.dueInvites,
    forget: async (trx, ids) => ({
      ...(await rows(trx('invites').whereIn('id', ids).delete())),
      workIds: ids,
      mailIds: ids,
    }),
  },
  {
    name: 'onboarding links',
    setting: 'RETAIN_INVITATIONS_DAYS',
    kind: 'invitations',
    due: due.dueOnboardingLinks,
    forget: (trx, ids) => rows(trx('onboarding_links').whereIn('id', ids).delete()),
  },
];

async function rows(changed: PromiseLike<number>): Promise<Forgotten> {
  return { rows: await changed };
}

async function forgetApplications(trx: Transaction, ids: string[], now: Date): Promise<Forgotten> {
  const participants = await trx('participants').whereIn('application_id', ids).select('id');
  const gone = await forgetParticipants(
    trx,
    participants.map(({ id }) => id),
    now,
  );
  return { ...gone, rows: await trx('applications').whereIn('id', ids).delete() };
}

async function forgetParticipants(trx: Transaction, ids: string[], now: Date): Promise<Forgotten> {
  const invites = await trx('invites').whereIn('participant_id', ids).pluck('id');
  const { counts, workIds } = await deleteParticipants(
    trx,
    ids.map((id) => ({ id })),
    now,
  );
  return { rows: counts['participants'] ?? 0, workIds, mailIds: invites };
}

async function forgetDocuments(trx: Transaction, ids: string[]): Promise<Forgotten> {
  const documents = await trx('documents').whereIn('id', ids).select('sha256', 'created_at');
  const gone = documents.map(({ sha256, created_at }) => ({ sha256, handedInAt: created_at }));
  await trx('document_fingerprints').whereIn('document_id', ids).delete();
  return { rows: await trx('documents').whereIn('id', ids).delete(), documents: gone };
}

async function forgetEidFlows(trx: Transaction, ids: string[]): Promise<Forgotten> {
  await trx('eid_attempts').whereIn('flow_id', ids).delete();
  return { rows: await trx('eid_flows').whereIn('id', ids).delete(), workIds: ids };
}

/** After how many days; undefined where nothing of it is forgotten. */
export function daysOf({ kind }: RetentionRule, { retention }: Pick<Runtime, 'retention'>): number | undefined {
  return retention[kind];
}
