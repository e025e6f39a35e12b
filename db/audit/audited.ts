import type { Database, Transaction } from '../connection/database.ts';
import { inTransaction } from '../connection/transactions.ts';
import { type Actor, type AuditAction, recordAudit } from './audit.ts';

/** Makes a change and records it in one transaction. Records nothing if `change` returns false or undefined. */
export function audited<Result>(
  db: Database,
  by: Actor,
  [action, resourceId, now]: readonly [AuditAction, string, Date],
  change: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const changed = await change(trx);
    if (changed !== false && changed !== undefined) await recordAudit(trx, by, action, resourceId, now);
    return changed;
  });
}
