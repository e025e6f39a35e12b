import {
  boundAt,
  firstNumberAt,
  isDroppedWhole,
  type Kept,
  nameBefore,
  nameBetween,
  nameFrom,
  nameLater,
  type PartitionedTable,
  partitionedTables,
  spanEnd,
  spanStart,
} from '../../../core/rules/partitions.ts';
import { DAY_MS } from '../../../core/time.ts';
import { makePartition } from '../../migrations/partition-tables.ts';
import { type Database, dialectOf, type Transaction } from '../database.ts';
import { givingWay } from '../transactions.ts';
import { beginOfSpans, endOfSpans, listPartitions, type Partition, spansOf } from './partitions.ts';

/** How many spans ahead of the current one to create. */
const AHEAD = 2;
/** Limits how many partitions a wrong clock can create at once. */
const MAX_CONCURRENCY = 3;

/** For how many days each kind of data is kept. */
export type KeptDays = Record<Kept, number>;

export interface Tended {
  made: string[];
  dropped: string[];
}

/**
 * Creates partitions ahead of time and drops those whose rows have all expired. It yields to requests, leaves the rest to the next run, and
 * resumes the work of a killed process. A no-op on SQLite.
 */
export async function tendPartitions(db: Database, kept: KeptDays, now: Date): Promise<Tended> {
  const tended: Tended = { made: [], dropped: [] };
  for (const one of dialectOf(db) === 'postgres' ? partitionedTables : []) {
    tended.made.push(...(await makeAhead(db, one, now)));
    if (one.prefix === undefined) await goOnAt(db, one, now);
    const days = one.kept && kept[one.kept];
    if (days !== undefined && isDroppedWhole(one, days)) tended.dropped.push(...(await dropOld(db, one, days, now)));
    await closeGap(db, one);
  }
  return tended;
}

/**
 * Numbers of a month begin only after the leader was there: an entry from its first hour may still be in the previous partition. They never
 * go back, nor ahead of the partitions, whatever the clock says.
 */
async function goOnAt(db: Database, one: PartitionedTable, now: Date): Promise<void> {
  const start = spanStart(one.width, now);
  if (!spansOf(await listPartitions(db, one)).some(({ from }) => from.getTime() === start.getTime())) return;
  const sequence = `pg_get_serial_sequence('${one.table}', '${one.key}')`;
  const isEarlier = `coalesce(pg_sequence_last_value(${sequence}::regclass), 0) < ?`;
  const { rows } = await db.raw(`select 1 where ${isEarlier}`, [firstNumberAt(start)]);
  if (rows.length === 0) return;
  await givingWay(db, async (trx) => {
    // Another process may do the same concurrently; inserts continue.
    await trx.raw(`lock table ${one.table} in share update exclusive mode`);
    await trx.raw(`select setval(${sequence}, ?) where ${isEarlier}`, [firstNumberAt(start), firstNumberAt(start)]);
  });
}

async function makeAhead(db: Database, one: PartitionedTable, now: Date): Promise<string[]> {
  const begin = endOfSpans(one, await listPartitions(db, one));
  if (!begin) return [];
  let enough = now;
  for (let spans = 0; spans < AHEAD; spans++) enough = spanEnd(one.width, enough);
  if (begin > enough) return [];
  const made = await givingWay(db, (trx) => moveLater(trx, one, begin, spanEnd(one.width, enough)));
  return made ?? [];
}

/** Splits spans off the newest partition, together with the rows already in them. */
async function moveLater(trx: Transaction, one: PartitionedTable, begin: Date, end: Date): Promise<string[]> {
  const { table, key, width } = one;
  const later = nameLater(table);
  // Another process may have done it in the meantime.
  await trx.raw(`lock table ${table} in access exclusive mode`);
  const still = endOfSpans(one, await listPartitions(trx, one));
  if (still?.getTime() !== begin.getTime()) return [];
  await trx.raw(`alter table ${table} detach partition ${later}`);
  const made: string[] = [];
  let from = begin;
  for (; from < end && made.length < MAX_CONCURRENCY; from = spanEnd(width, from)) {
    const [name, to] = [nameFrom(table, from), spanEnd(width, from)];
    await makePartition(trx, one, name, { from, to });
    made.push(name);
  }
  await trx.raw(
    `with moved as (delete from ${later} where ${key} < ${boundAt(one, from)} returning *) insert into ${table} select * from moved`,
  );
  await trx.raw(`alter table ${table} attach partition ${later} for values from (${boundAt(one, from)}) to (maxvalue)`);
  return made;
}

/**
 * 1. Finish interrupted work: a partition that is half detached, or detached but not dropped.
 * 2. Detach each partition whose span ended long enough ago and that holds no row to keep; requests continue meanwhile.
 * 3. Drop it.
 */
async function dropOld(db: Database, one: PartitionedTable, days: number, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - days * DAY_MS);
  const partitions = await listPartitions(db, one);
  const dropped: string[] = [];
  for (const { name } of partitions.filter(({ isDetaching }) => isDetaching))
    await db.raw(`alter table ${one.table} detach partition ${name} finalize`);
  for (const name of await listDetached(db, one)) if (await drop(db, name)) dropped.push(name);
  const first = await firstOf(db, one.after);
  for (const { name, from, to } of spansOf(partitions)) {
    if (to > before || (first && from >= first) || (await mustKeep(db, one, name, before))) break;
    await db.raw(`alter table ${one.table} detach partition ${name} concurrently`);
    if (await drop(db, name)) dropped.push(name);
  }
  return dropped;
}

/** If the clock goes back, rows of dropped spans still find a place: one partition between the oldest and the first span. */
async function closeGap(db: Database, one: PartitionedTable): Promise<void> {
  const gap = gapIn(one, await listPartitions(db, one));
  if (!gap) return;
  const { table } = one;
  const between = nameBetween(table);
  await givingWay(db, async (trx) => {
    await trx.raw(`lock table ${table} in access exclusive mode`);
    const partitions = await listPartitions(trx, one);
    const still = gapIn(one, partitions);
    if (!still) return;
    const former = partitions.some(({ name }) => name === between) ? `${between}_former` : undefined;
    if (former) {
      await trx.raw(`alter table ${table} detach partition ${between}`);
      await trx.raw(`alter table ${between} rename to ${former}`);
    }
    await makePartition(trx, one, between, still);
    if (!former) return;
    await trx.raw(`insert into ${table} select * from ${former}`);
    await trx.raw(`drop table ${former}`);
  });
}

/** The gap between the oldest partition and the first span, when the partition between them does not reach that far. */
function gapIn(one: PartitionedTable, partitions: readonly Partition[]): { from: Date; to: Date } | undefined {
  const { table } = one;
  const endOf = (name: string) => partitions.find((each) => each.name === name)?.to;
  const from = endOf(nameBefore(table));
  const to = beginOfSpans(one, partitions);
  const reached = endOf(nameBetween(table)) ?? from;
  return from && to && reached && reached < to ? { from, to } : undefined;
}

/** The start of the oldest span of the table that is dropped first. */
async function firstOf(db: Database, table: PartitionedTable['after']): Promise<Date | undefined> {
  const one = partitionedTables.find((each) => each.table === table);
  return one && spansOf(await listPartitions(db, one))[0]?.from;
}

async function mustKeep(
  db: Database,
  { keepConditions }: PartitionedTable,
  name: string,
  before: Date,
): Promise<boolean> {
  for (const condition of keepConditions)
    if (await db(name).whereRaw(condition, [before.toISOString()]).first(db.raw('1'))) return true;
  return false;
}

async function listDetached(db: Database, { table }: PartitionedTable): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and not relispartition and relname ~ ?
       and relnamespace = (select relnamespace from pg_class where oid = to_regclass(?)) order by relname`,
    [`^${table}_from_[0-9]{8}$`, table],
  );
  return rows.map(({ name }) => name);
}

/** Dropping also locks the referenced tables. @returns false when a lock was not available */
async function drop(db: Database, name: string): Promise<boolean> {
  const done = await givingWay(db, async (trx) => {
    await trx.raw(`drop table ${name}`);
    return true;
  });
  return done ?? false;
}
