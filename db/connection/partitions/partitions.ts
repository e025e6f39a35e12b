import { firstIdAt } from '../../../core/ids.ts';
import {
  isDroppedWhole,
  nameLater,
  type PartitionedTable,
  partitionedTables,
  readBounds,
} from '../../../core/rules/partitions.ts';
import { type Database, dialectOf } from '../database.ts';

export interface Partition {
  name: string;
  /** The bounds of its span; undefined for the open end of the oldest and the newest partition. */
  from: Date | undefined;
  to: Date | undefined;
  /** A drop was started and interrupted. */
  isDetaching: boolean;
}

/** The partitions of a table in the order of their spans; empty on SQLite, or before the tables are partitioned. */
export async function listPartitions(db: Database, one: PartitionedTable): Promise<Partition[]> {
  return (await partitionsOf(db, [one]))(one);
}

/** The same of several tables, in one statement. */
async function partitionsOf(
  db: Database,
  tables: readonly PartitionedTable[],
): Promise<(one: PartitionedTable) => Partition[]> {
  if (dialectOf(db) === 'sqlite') return () => [];
  const { rows } = await db.raw<{ rows: (Bounded & { parent: string })[] }>(
    `select parent, relname as name, pg_get_expr(relpartbound, pg_class.oid) as bounds, inhdetachpending as is_detaching
       from unnest(?::text[]) as parent join pg_inherits on inhparent = to_regclass(parent)
       join pg_class on pg_class.oid = inhrelid`,
    [tables.map(({ table }) => table)],
  );
  return (one) =>
    inOrder(
      one,
      rows.filter(({ parent }) => parent === one.table),
    );
}

interface Bounded {
  name: string;
  bounds: string;
  is_detaching: boolean;
}

function inOrder(one: PartitionedTable, rows: readonly Bounded[]): Partition[] {
  return rows
    .map(({ name, bounds, is_detaching }) => {
      const [from, to] = readBounds(one, bounds);
      return { name, from, to, isDetaching: is_detaching };
    })
    .sort((a, b) => (a.from?.getTime() ?? 0) - (b.from?.getTime() ?? 0));
}

/** The partitions that hold one span each, oldest first. */
export function spansOf(partitions: readonly Partition[]): (Partition & { from: Date; to: Date })[] {
  return partitions.flatMap((one) =>
    /_from_\d{8}$/.test(one.name) && one.from && one.to ? [{ ...one, from: one.from, to: one.to }] : [],
  );
}

/** Since when each span has its own partition. */
export function beginOfSpans(one: PartitionedTable, partitions: readonly Partition[]): Date | undefined {
  return spansOf(partitions)[0]?.from ?? endOfSpans(one, partitions);
}

/** Until when there are partitions. */
export function endOfSpans(one: PartitionedTable, partitions: readonly Partition[]): Date | undefined {
  return partitions.find(({ name }) => name === nameLater(one.table))?.from;
}

/**
 * The id below which expired rows are deleted one by one; rows above it are dropped with their partitions.
 * @returns undefined when all are deleted one by one
 */
export async function rowsBelow(
  db: Database,
  table: PartitionedTable['table'],
  days: number,
): Promise<string | undefined> {
  const one = partitionedTables.find((each) => each.table === table);
  if (!one?.prefix || !isDroppedWhole(one, days)) return undefined;
  const begin = beginOfSpans(one, await listPartitions(db, one));
  return begin && firstIdAt(one.prefix, begin);
}

/** Until when every table has partitions; undefined without partitions. A short query. */
export async function partitionsUntil(db: Database): Promise<Date | undefined> {
  let until: Date | undefined;
  const listed = await partitionsOf(db, partitionedTables);
  for (const one of partitionedTables) {
    const end = endOfSpans(one, listed(one));
    if (end && (!until || end < until)) until = end;
  }
  return until;
}
