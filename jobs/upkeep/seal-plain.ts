import { sealText } from '../../core/secrets/secrets.ts';
import { countPlain, listPlainAfter, replaceSealed } from '../../db/connection/sealed-columns.ts';
import type { Runtime } from '../runtime.ts';
import { RESULT_COLUMNS } from './sealed-things.ts';

const MAX_ROWS_PER_BATCH = 50;
/** Bounds how long a stop waits. */
const MAX_BATCHES_PER_PASS = 40;

/**
 * Seals results and event bodies that versions before migration 0023 stored in the clear, a bounded number at a time. Idempotent, and
 * safe beside other processes that do the same.
 * @returns how many were sealed
 */
export async function sealPlain({ db, keys }: Pick<Runtime, 'db' | 'keys'>): Promise<number> {
  let sealed = 0;
  for (const column of RESULT_COLUMNS)
    for (let batch = 0, after = ''; batch < MAX_BATCHES_PER_PASS; batch++) {
      const rows = await listPlainAfter(db, column, after, MAX_ROWS_PER_BATCH);
      for (const row of rows) if (await replaceSealed(db, column, row, sealText(row.sealed, keys.encryption))) sealed++;
      if (rows.length < MAX_ROWS_PER_BATCH) break;
      after = rows.at(-1)?.id ?? after;
    }
  return sealed;
}

/** How many are still to be sealed. */
export function countUnsealed({ db }: Pick<Runtime, 'db'>): Promise<number> {
  return countPlain(db, RESULT_COLUMNS);
}
