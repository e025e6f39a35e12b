import type { Database } from '../connection/connect.ts';
import { inTransaction } from '../connection/transactions.ts';

/** A used code. Its row is needed only until the code would have expired. */
export interface UsedHandOverRow {
  code_hash: string;
  expires_at: string;
}

/**
 * @returns false when it was already used
 */
export function useHandOver(db: Database, row: UsedHandOverRow, now: Date): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await trx('used_hand_overs').where('expires_at', '<', now.toISOString()).delete();
    const inserted = await trx('used_hand_overs').insert(row).onConflict('code_hash').ignore().returning('code_hash');
    return inserted.length === 1;
  });
}
