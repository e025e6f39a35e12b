import type { Database } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** A condition that is or was a problem, as the leading process saw it last. */
export interface ConditionStateRow {
  condition: string;
  state: string;
  /** Since when it has been in this state. */
  since: string;
  /** The state that the operator was mailed last. */
  told: string;
}

export function listConditionStates(db: Database): Promise<ConditionStateRow[]> {
  return db('condition_states');
}

export async function storeConditionState(db: Database, row: ConditionStateRow): Promise<void> {
  await retried(db, () => db('condition_states').insert(row).onConflict('condition').merge());
}
