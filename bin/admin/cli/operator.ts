import { userInfo } from 'node:os';
import { type Actor, type AuditAction, recordAudit } from '../../../db/audit/audit.ts';
import type { Transaction } from '../../../db/connection/connect.ts';

/** The operator: `OPERATOR`, for accounts that several people share, or else the name of the account. */
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
