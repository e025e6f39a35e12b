import { type Actor, type AuditAction, recordAudit } from '../db/audit/audit.ts';
import type { Transaction } from '../db/connection/connect.ts';
import type { ShortTransaction } from '../db/connection/short-transaction.ts';
import type { Context } from './handler.ts';

/** The API key of a request, as the audit log names it. */
export function callerOf({ caller }: Context): Actor {
  return { kind: 'api_key', id: caller.apiKeyId };
}

/** Notes in the audit log what a request does, in the transaction that does it. */
export function auditCaller(
  trx: Transaction | ShortTransaction,
  ctx: Context,
  action: AuditAction,
  resourceId: string,
): Promise<void> {
  return recordAudit(trx, callerOf(ctx), action, resourceId, ctx.now);
}
