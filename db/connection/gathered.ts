import { inBatches } from '../../core/batches.ts';
import { continueInTurn } from '../../core/correlation.ts';
import type { Database, Transaction } from './database.ts';
import { prepared } from './prepared.ts';
import { amongGiven } from './queries/many-values.ts';

const MAX_BATCH_SIZE = 500;
/** A slow batch does not stop the next; in a flood, the next batch grows. */
const MAX_BATCHES = 2;

/**
 * Looks rows up by one text, for unauthenticated callers. Lookups that arrive together share a statement, so that a flood of
 * them costs little.
 * @param selects read one after the other in the same statement; each ends in `where` and a column, which it also selects as `asked_for`
 */
export function gathered<Row>(...selects: string[]): (on: Database | Transaction, text: string) => Promise<Row[]> {
  const find = prepared<Row & { asked_for: string }>((dialect) =>
    selects.map((select) => `${select} ${amongGiven[dialect]}`).join(' union all '),
  );
  const open = (on: Database | Transaction) =>
    inBatches<string, Row[]>(
      async (texts) => {
        const asked = JSON.stringify(texts);
        const found = await find(on, ...selects.map(() => asked));
        const rows = Map.groupBy(found, ({ asked_for }) => asked_for);
        return texts.map((text) => rows.get(text));
      },
      { size: MAX_BATCH_SIZE, atOnce: MAX_BATCHES },
    );
  const batches = new WeakMap<Database | Transaction, ReturnType<typeof open>>();
  return async (on, text) => {
    const find = batches.get(on) ?? open(on);
    batches.set(on, find);
    const rows = await find(text);
    await continueInTurn();
    return rows ?? [];
  };
}
