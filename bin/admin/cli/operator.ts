import { userInfo } from 'node:os';
import { type Actor, type AuditAction, recordAudit } from '../../../db/audit/audit.ts';
import { audited as auditedBy } from '../../../db/audit/audited.ts';
import type { Database, Transaction } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';

/** The operator: `OPERATOR`, for accounts that several people share, or else the account's name. */
export function operator(): Actor {
  return { kind: 'operator', id: process.env['OPERATOR'] || accountName() };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the account may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Records an operator's action in the audit log, in the transaction of the action. */
export function auditOperator(trx: Transaction, action: AuditAction, resourceId: string, now: Date): Promise<void> {
  return recordAudit(trx, operator(), action, resourceId, now);
}

/** Audits that an operator is about to see a tenant's results. Recorded before they are shown, so that no read goes unrecorded. */
export function auditRead(db: Database, action: `${string}.read` & AuditAction, resourceId: string, now: Date) {
  return inTransaction(db, (trx) => auditOperator(trx, action, resourceId, now));
}

/** Makes an operator's change and records it in one transaction. Records nothing if `change` returns false or undefined. */
export function audited<Result>(
  db: Database,
  entry: readonly [AuditAction, string, Date],
  change: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return auditedBy(db, operator(), entry, change);
}
