import { lockLandlord } from '../../../../db/access/landlords.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { Transaction } from '../../../../db/connection/database.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import type { Parts, Visit } from '../../route.ts';

/** Changes what belongs to a landlord, and records it. @returns the notice */
export function save(
  { actor, now }: Visit,
  { db }: Pick<Parts, 'db'>,
  [what, landlordId]: readonly [`landlord.${'settings' | 'brand' | 'retention'}`, string],
  change: (trx: Transaction) => Promise<boolean>,
): Promise<'set-up' | 'unchanged'> {
  return inTransaction(db, async (trx) => {
    await lockLandlord(trx, landlordId);
    if (!(await change(trx))) return 'unchanged';
    await recordAudit(trx, actor, what, landlordId, now);
    return 'set-up';
  });
}
