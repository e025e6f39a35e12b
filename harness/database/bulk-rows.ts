import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';

/** The kinds of rows that others refer to, as encoded in their ids. */
const KINDS = {
  landlord: '1001',
  key: '1002',
  application: '1003',
  participant: '1004',
  tenant: '1005',
  flow: '1006',
  document: '1007',
  event: '1008',
  webhook: '1009',
  delivery: '100a',
  workspace: '100b',
  property: '100c',
  other: '100d',
};
type Kind = keyof typeof KINDS;

/** Odd, so that every number has its own id; large, so that consecutive ids are not neighbours in an index. */
const SPREAD = 2_654_435_761;
const ALL = 2 ** 32;

/**
 * The distance between ids that spreads this many rows evenly over an index in ascending order: inserts then take a fraction of the time.
 */
export function orderedSpread(amount: number): number {
  return Math.floor(ALL / (amount + 1));
}

/** The id of the nth row of a kind: a version 4 UUID in its form, and spread over the index as those are. */
export function bulkId(kind: Kind, number: number, spread = SPREAD): string {
  const hex = (value: number | bigint, length: number) => value.toString(16).padStart(length, '0');
  return `${hex((BigInt(number) * BigInt(spread)) % BigInt(ALL), 8)}-${KINDS[kind]}-4000-8000-${hex(number, 12)}`;
}

/** The differences between the databases in SQL that generates rows. `i` is the row number. */
export interface Dialect {
  numbers(amount: number): string;
  id(kind: Kind, number: string, spread?: number): string;
  /** The time this many minutes ago. */
  minutesAgo(minutes: string): string;
}

export function dialectOf(db: Database): Dialect {
  return db.client.config.client === 'pg' ? postgres : sqlite;
}

const postgres: Dialect = {
  numbers: (amount) => `generate_series(1, ${amount}) i`,
  id: (kind, number, spread = SPREAD) =>
    `lpad(to_hex(((${number})::bigint * ${spread}) % ${ALL}), 8, '0') || '-${KINDS[kind]}-4000-8000-' || lpad(to_hex(${number}), 12, '0')`,
  minutesAgo: (minutes) =>
    `to_char(now() at time zone 'UTC' - (${minutes}) * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

const sqlite: Dialect = {
  numbers: (amount) =>
    `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${amount}) select i from n)`,
  id: (kind, number, spread = SPREAD) =>
    `printf('%08x-${KINDS[kind]}-4000-8000-%012x', ((${number}) * ${spread}) % ${ALL}, ${number})`,
  minutesAgo: (minutes) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', -(${minutes}) || ' minutes')`,
};

/** Adds many rows whose foreign keys are known to be valid: checking each takes most of the time. */
export async function inBulk(db: Database, work: (db: Database) => Promise<void>): Promise<void> {
  if (db.client.config.client === 'pg')
    return inTransaction(db, async (trx) => {
      await trx.raw('set local session_replication_role = replica');
      await work(trx);
    });
  await db.raw('pragma foreign_keys = off');
  await inTransaction(db, work);
  await db.raw('pragma foreign_keys = on');
}

/** Rows of one table: how many, and the value of each column. */
export async function insertBulk(
  db: Database,
  table: string,
  amount: number,
  columns: Record<string, string>,
): Promise<void> {
  const { numbers } = dialectOf(db);
  const [names, values] = [Object.keys(columns), Object.values(columns)].map((list) => list?.join(', '));
  await db.raw(`insert into ${table} (${names}) select ${values} from ${numbers(amount)}`);
}

/** On Postgres, keeps the statistics of a table and its partitions as they are. @returns what ends that */
export async function withoutAutovacuum(db: Database, table: string): Promise<() => Promise<void>> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and oid in (select ?::regclass union select relid from pg_partition_tree(?))",
    [table, table],
  );
  for (const { name } of rows) await db.raw(`alter table ${name} set (autovacuum_enabled = off)`);
  return async () => {
    for (const { name } of rows) await db.raw(`alter table ${name} reset (autovacuum_enabled)`);
  };
}
