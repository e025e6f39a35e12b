import { type Actor, type AuditAction, recordAudit } from '../db/audit/audit.ts';
import type { Transaction } from '../db/connection/database.ts';
import type { ShortTransaction } from '../db/connection/short-transaction.ts';
import type { Context } from './handler.ts';

/** The calling API key as an actor of the audit log. */
export function callerOf({ caller }: Pick<Context, 'caller'>): Actor {
  return { kind: 'api_key', id: caller.apiKeyId };
}

/** Records a request's action in the audit log, in the same transaction. */
export function auditCaller(
  trx: Transaction | ShortTransaction,
  ctx: Pick<Context, 'caller' | 'now'>,
  action: AuditAction,
  resourceId: string,
): Promise<void> {
  return recordAudit(trx, callerOf(ctx), action, resourceId, ctx.now);
}
