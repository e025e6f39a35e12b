import { NotFound } from '../../core/errors.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type Actor, type AuditAction, recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertLook, type Looker, type LookKind, lockLookedAt } from '../../db/privacy/looks.ts';

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
 * @throws NotFound when the person was erased meanwhile
 */
export function recordLook(
  db: Database,
  { actor, visitor, now }: Onlooker,
  [what, action, resourceId]: readonly [what: LookKind, action: AuditAction, resourceId: string],
  about: readonly TenantOfKey[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockAll(trx, about);
    await recordAudit(trx, actor, action, resourceId, now);
    for (const of of about) await insertLook(trx, of, { looker: visitor.looker, what }, now);
  });
}

/** The same for several people and things of one kind. The list is shown without a look of those who were erased meanwhile. */
export function recordLooks(
  db: Database,
  { actor, visitor, now }: Onlooker,
  [what, action]: readonly [what: LookKind, action: AuditAction],
  seen: readonly { resourceId: string; of: TenantOfKey }[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const present = await lockLookedAt(
      trx,
      seen.map(({ of }) => of),
    );
    for (const { resourceId, of } of seen) {
      await recordAudit(trx, actor, action, resourceId, now);
      if (present.has(of.tenant_id)) await insertLook(trx, of, { looker: visitor.looker, what }, now);
    }
  });
}

/** The same for the people alone, where the audit log has the look already. @throws NotFound */
export function showLook(
  db: Database,
  { visitor, now }: Pick<Onlooker, 'visitor' | 'now'>,
  what: LookKind,
  about: readonly TenantOfKey[],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockAll(trx, about);
    for (const of of about) await insertLook(trx, of, { looker: visitor.looker, what }, now);
  });
}

async function lockAll(trx: Transaction, about: readonly TenantOfKey[]): Promise<void> {
  const present = await lockLookedAt(trx, about);
  if (about.some(({ tenant_id }) => !present.has(tenant_id))) throw new NotFound('Person');
}
