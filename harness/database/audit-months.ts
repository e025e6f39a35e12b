import {
  boundAt,
  firstNumberAt,
  nameBefore,
  nameFrom,
  type PartitionedTable,
  partitionedTables,
  spanEnd,
  spanStart,
} from '../../core/rules/partitions.ts';
import { DAY_MS } from '../../core/time.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { makePartition } from '../../db/migrations/partition-tables.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import { dialect } from './dialect.ts';

const TABLE = 'audit_entries';
const YEAR_DAYS = 365;
const TEN_MINUTES_MS = 600_000;
const ROWS_AT_ONCE = 500;

export function recordAt(db: Database, id: string, now: Date): Promise<void> {
  return inTransaction(db, (trx) => recordAudit(trx, SERVICE, 'webhook.pause', id, now));
}

/**
 * Chained entries of months of the last year, in partitions as the leader makes them on Postgres: there, the first entry of a month stands
 * in the partition of the one before, and one of the partition is chained late, behind the first of the next.
 * @returns the beginning of each month, and of the one behind the last
 */
export async function fillMonths(db: Database, months: number, each: number): Promise<Date[]> {
  const begin = spanStart('month', new Date(Date.now() - YEAR_DAYS * DAY_MS));
  if (dialect === 'postgres') await makePast(db, begin);
  let start = begin;
  const starts = [start];
  for (let month = 0; month < months; month++) {
    if (month > 0) await recordAt(db, `first of month ${month}`, new Date(start.getTime() + TEN_MINUTES_MS));
    await goOnAt(db, start);
    const at = new Date(start.getTime() + 2 * TEN_MINUTES_MS).toISOString();
    const rows = Array.from({ length: each }, (_, index) => entry(`month ${month}, ${index}`, at));
    await db(TABLE).insert(rows.slice(0, 1));
    await chainAudit({ db });
    if (month > 0) await chainLate(db, starts.at(-2) ?? start, start);
    for (let done = 1; done < each; done += ROWS_AT_ONCE) await db(TABLE).insert(rows.slice(done, done + ROWS_AT_ONCE));
    await chainAudit({ db });
    start = spanEnd('month', start);
    starts.push(start);
  }
  await goOnAt(db, spanStart('month', new Date()));
  await recordAt(db, 'the last', new Date());
  await chainAudit({ db });
  return starts;
}

/** As if the database had been partitioned then. */
async function makePast(db: Database, begin: Date): Promise<void> {
  const one: PartitionedTable | undefined = partitionedTables.find(({ table }) => table === TABLE);
  if (!one) throw new Error('The audit log has no partitions.');
  const before = nameBefore(TABLE);
  await db.raw(`alter table ${TABLE} detach partition ${before}`);
  for (let from = begin; from < spanStart('month', new Date()); from = spanEnd('month', from))
    await makePartition(db, one, nameFrom(TABLE, from), { from, to: spanEnd('month', from) });
  await db.raw(
    `alter table ${TABLE} attach partition ${before} for values from (minvalue) to (${boundAt(one, begin)})`,
  );
}

async function goOnAt(db: Database, start: Date): Promise<void> {
  if (dialect === 'postgres')
    await db.raw(`select setval(pg_get_serial_sequence('${TABLE}', 'sequence'), ?)`, [firstNumberAt(start)]);
}

/** An entry of a transaction that began before a month and ended in it. */
async function chainLate(db: Database, former: Date, start: Date): Promise<void> {
  if (dialect === 'sqlite') return;
  const at = new Date(start.getTime() - TEN_MINUTES_MS).toISOString();
  const last = await db(nameFrom(TABLE, former)).max<{ max: number }[]>('sequence');
  const sequence = (last[0]?.max ?? 0) + 1;
  await db(TABLE).insert({ ...entry(`late before ${start.toISOString()}`, at), sequence });
  await chainAudit({ db });
}

function entry(resource_id: string, at: string) {
  return { at, actor_kind: 'service' as const, actor: 'service', action: 'webhook.pause', resource_id };
}
