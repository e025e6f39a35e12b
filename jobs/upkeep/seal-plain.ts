import { Failures } from '../../core/failures.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { countPlain, plainTexts, replaceSealed } from '../../db/connection/sealed-columns.ts';
import type { Runtime } from '../runtime.ts';
import { RESULT_COLUMNS } from './sealed-things.ts';

/** For each column. Bounds how long a stop waits. */
const MAX_ROWS_PER_PASS = 2_000;

/**
 * Seals results and event bodies that versions before migration 0023 stored in the clear, a bounded number at a time. Idempotent, and
 * safe beside other processes that do the same.
 * @returns how many were sealed
 * @throws the first failure, after all others
 */
export async function sealPlain({ db, keys }: Pick<Runtime, 'db' | 'keys'>): Promise<number> {
  let sealed = 0;
  const failures = new Failures();
  for (const column of RESULT_COLUMNS) {
    let left = MAX_ROWS_PER_PASS;
    for await (const row of plainTexts(db, column)) {
      const isSealed = await replaceSealed(db, column, row, sealText(row.sealed, keys.encryption)).catch((error) => {
        failures.add(error);
        return false;
      });
      if (isSealed) sealed++;
      if (--left === 0) break;
    }
  }
  failures.end();
  return sealed;
}

/** How many are still to be sealed. */
export function countUnsealed({ db }: Pick<Runtime, 'db'>): Promise<number> {
  return countPlain(db, RESULT_COLUMNS);
}
