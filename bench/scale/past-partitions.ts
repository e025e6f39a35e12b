import { boundAt, nameBefore, nameFrom, partitionedTables, spanEnd, spanStart } from '../../core/rules/partitions.ts';
import type { Database } from '../../db/connection/database.ts';
import { makePartition } from '../../db/migrations/partition-tables.ts';

/** The partitions that a service would have made since then, of tables that are empty. */
export async function partitionPast(db: Database, since: Date, now: Date): Promise<void> {
  for (const one of partitionedTables) {
    const { table, width } = one;
    const [before, end] = [nameBefore(table), spanStart(width, now)];
    let from = spanStart(width, since);
    await db.raw(`alter table ${table} detach partition ${before}`);
    await db.raw(
      `alter table ${table} attach partition ${before} for values from (minvalue) to (${boundAt(one, from)})`,
    );
    for (; from < end; from = spanEnd(width, from))
      await makePartition(db, one, nameFrom(table, from), { from, to: spanEnd(width, from) });
  }
}
