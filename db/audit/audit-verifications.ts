import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** The last verification of the audit log. */
export interface AuditVerificationRow {
  /** There is one log, so there is one row. */
  log: 'audit';
  id: string;
  /** The name of an operator. */
  started_by: string;
  started_at: string;
  /** When the process that verifies last said so. */
  seen_at: string;
  /** How many entries were verified, of how many. */
  done: number;
  total: number;
  ended_at: string | null;
  /** JSON; null while it is running, and when it did not reach the end. */
  verdict: string | null;
}

/** Replaces the previous verification. @returns false while another is running, whose process was seen since `abandonedBefore` */
export async function beginVerification(
  trx: Transaction,
  { id, started_by, started_at }: Pick<AuditVerificationRow, 'id' | 'started_by' | 'started_at'>,
  abandonedBefore: string,
): Promise<boolean> {
  const first = { id, started_by, started_at, seen_at: started_at, done: 0, total: 0, ended_at: null, verdict: null };
  const begun = await trx('audit_verifications')
    .insert({ log: 'audit', ...first })
    .onConflict('log')
    .merge(first)
    .where((last) =>
      last.whereNotNull('audit_verifications.ended_at').orWhere('audit_verifications.seen_at', '<', abandonedBefore),
    )
    .returning('id');
  return begun.length === 1;
}

/** @returns false once the verification ended or another verification replaced it */
export async function noteVerification(
  db: Database,
  id: string,
  change: Partial<Pick<AuditVerificationRow, 'seen_at' | 'done' | 'total' | 'ended_at' | 'verdict'>>,
): Promise<boolean> {
  const open = () => db('audit_verifications').where({ log: 'audit', id }).whereNull('ended_at').update(change);
  return (await retried(db, open)) === 1;
}

export function findVerification(db: Database): Promise<AuditVerificationRow | undefined> {
  return db('audit_verifications').where({ log: 'audit' }).first();
}
