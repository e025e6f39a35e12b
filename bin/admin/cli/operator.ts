import { userInfo } from 'node:os';
import { type Actor, type AuditAction, recordAudit } from '../../../db/audit/audit.ts';
import type { Transaction } from '../../../db/connection/connect.ts';

/** Who types: `OPERATOR`, for machines that many share an account of, or the account. */
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

/** Notes in the audit log what an operator does, in the transaction that does it. */
export function auditOperator(trx: Transaction, action: AuditAction, resourceId: string, now: Date): Promise<void> {
  return recordAudit(trx, operator(), action, resourceId, now);
}
