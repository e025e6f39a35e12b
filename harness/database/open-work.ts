import type { Database } from '../../db/connection/database.ts';
import { type WorkRow, workTables } from '../../db/work/work.ts';
import { eventually } from '../process/signals.ts';

/**
 * Work that is neither done nor given up. One statement reads all tables: what ends in one of them may begin in another in the same
 * transaction, so that a statement for each could miss both.
 */
export async function openWork(db: Database): Promise<Pick<WorkRow, 'id' | 'leased_by'>[]> {
  const [first, ...others] = workTables.map((table) =>
    db<WorkRow>(table).whereNotNull('due_at').select('id', 'leased_by'),
  );
  return (await first?.unionAll(others)) ?? [];
}

/** Waits until no work is open. */
export async function workDone(db: Database): Promise<void> {
  await eventually('all work was done', async () => (await openWork(db)).length === 0);
}
