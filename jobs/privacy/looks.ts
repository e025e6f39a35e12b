import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type Actor, type AuditAction, recordAudit } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertLook, type Looker, type LookKind } from '../../db/privacy/looks.ts';

/** Who looks, for the audit log and for the person. */
export interface Onlooker {
  actor: Actor;
  visitor: { looker: Looker };
  now: Date;
}

/**
 * Records a look at what is held about a person, before it is shown: for the audit log, which names them and the thing, and for
 * the person, who reads their role.
 * @param about the person, once for each API key whose data is shown
 */
export function recordLook(
  db: Database,
  { actor, visitor, now }: Onlooker,
  [what, action, resourceId]: readonly [what: LookKind, action: AuditAction, resourceId: string],
  about: readonly TenantOfKey[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await recordAudit(trx, actor, action, resourceId, now);
    for (const of of about) await insertLook(trx, of, { looker: visitor.looker, what }, now);
  });
}

/** The same for several people and things of one kind. */
export function recordLooks(
  db: Database,
  { actor, visitor, now }: Onlooker,
  [what, action]: readonly [what: LookKind, action: AuditAction],
  seen: readonly { resourceId: string; of: TenantOfKey }[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    for (const { resourceId, of } of seen) {
      await recordAudit(trx, actor, action, resourceId, now);
      await insertLook(trx, of, { looker: visitor.looker, what }, now);
    }
  });
}

/** The same for the people alone, where the audit log has the look already. */
export function showLook(
  db: Database,
  { visitor, now }: Pick<Onlooker, 'visitor' | 'now'>,
  what: LookKind,
  about: readonly TenantOfKey[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    for (const of of about) await insertLook(trx, of, { looker: visitor.looker, what }, now);
  });
}
