import { lockLandlord } from '../../db/access/landlords.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { applyStaged, countStaged, type StagedCounts } from '../../db/properties/apply-staged.ts';
import { type GivenIds, resolveStaged } from '../../db/properties/resolve-staged.ts';

/** Resolves what was staged. Locks the landlord: two concurrent imports would both add the same property. */
export async function checkStaged(trx: Transaction, landlordId: string, ids: GivenIds): Promise<StagedCounts> {
  await lockLandlord(trx, landlordId);
  await resolveStaged(trx, landlordId, ids);
  return countStaged(trx);
}

/** Writes the good lines of what was checked. */
export async function writeStaged(
  trx: Transaction,
  { landlordId, actor, now }: { landlordId: string; actor: Actor; now: Date },
  tick?: (line: number) => void,
): Promise<void> {
  await applyStaged(trx, landlordId, now, tick);
  await recordAudit(trx, actor, 'property.import', landlordId, now);
}
