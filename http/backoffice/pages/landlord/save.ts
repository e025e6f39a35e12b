import { lockLandlord } from '../../../../db/access/landlords.ts';
import { audited } from '../../../../db/audit/audited.ts';
import type { Transaction } from '../../../../db/connection/database.ts';
import type { GoTo, Parts, Visit } from '../../route.ts';

/** A landlord, and the page with the forms that change what belongs to it. */
export interface Home {
  landlordId: string;
  place: string;
  /** The action of the form for what applicants read. */
  texts: string;
}

/** Changes what belongs to a landlord, records it, and goes back to the form. */
export async function save(
  { actor, now }: Visit,
  { db }: Pick<Parts, 'db'>,
  [what, { landlordId, place }]: readonly [`landlord.${'settings' | 'brand' | 'retention'}`, Home],
  change: (trx: Transaction) => Promise<boolean>,
): Promise<GoTo> {
  const isChanged = await audited(db, actor, [what, landlordId, now], async (trx) => {
    await lockLandlord(trx, landlordId);
    return change(trx);
  });
  return { goTo: place, notice: isChanged ? 'set-up' : 'unchanged' };
}
