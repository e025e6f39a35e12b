import { databaseTime } from '../connection/clock.ts';
import type { Database } from '../connection/database.ts';
import { inTransaction } from '../connection/transactions.ts';

/** A used code. Its row is needed only until the code would have expired. */
export interface UsedHandOverRow {
  code_hash: string;
  expires_at: string;
}

/**
 * The database's clock alone decides which codes have expired: a process whose clock is ahead would delete a used code, and a process whose
 * clock is behind would accept that code again. The clock is read after the insert, which waits for a concurrent deletion.
 * @returns false when it was already used or has expired
 */
export function useHandOver(db: Database, row: UsedHandOverRow): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const inserted = await trx('used_hand_overs').insert(row).onConflict('code_hash').ignore().returning('code_hash');
    const now = (await databaseTime(trx)).toISOString();
    await trx('used_hand_overs').where('expires_at', '<=', now).delete();
    return inserted.length === 1 && row.expires_at > now;
  });
}
