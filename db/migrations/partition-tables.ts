import type { Knex } from 'knex';
import {
  boundAt,
  firstNumberAt,
  nameBefore,
  nameFrom,
  nameLater,
  type PartitionedTable,
  partitionedTables,
  spanEnd,
  spanStart,
} from '../../core/rules/partitions.ts';
import { guardAuditLog, guardFromTruncate, unguardAuditLog } from './audit-guard.ts';

/** How it works beside requests. */
export interface Beside {
  /** A session whose statements may take hours. */
  session: Knex;
  /** A transaction that requests do not wait for. @returns undefined when it did not get its locks */
  givingWay<Result>(db: Knex, work: (trx: Knex.Transaction) => Promise<Result>): Promise<Result | undefined>;
}

/** The current one, and two ahead. */
const SPANS = 3;

type TableName = PartitionedTable['table'];

function named(names: readonly TableName[]): PartitionedTable[] {
  return names.flatMap((name) => partitionedTables.filter(({ table }) => table === name));
}

/** Partitions the tables of a database that no request uses yet. */
export async function partitionEmptyTables(trx: Knex, names: readonly TableName[], now: Date): Promise<void> {
  for (const one of named(names)) await replace(trx, one, now);
}

/**
 * Partitions each table beside requests, without copying a row: the table becomes the partition of all ids of before.
 * 1. Promise by a constraint that every id is one of before. New rows keep it: ids of the new form come once all is done.
 * 2. Validate it, which reads the whole table and blocks nothing.
 * 3. Put the new table in its place; Postgres believes the constraint instead of reading the table under the lock.
 * Interrupted, it goes on at the step that is missing.
 * @returns whether all is done; false when a lock was not to be had
 */
export async function partitionTables(
  { session, givingWay }: Beside,
  names: readonly TableName[],
  now: Date,
): Promise<boolean> {
  for (const one of named(names)) {
    if (await isPartitioned(session, one.table)) continue;
    const promised = await givingWay(session, async (trx) => {
      await trx.raw(`alter table ${one.table} drop constraint if exists ${one.table}_ids_of_before`);
      await trx.raw(
        `alter table ${one.table} add constraint ${one.table}_ids_of_before check (${one.key} < ${firstOfNewForm(one)}) not valid`,
      );
      return true;
    });
    if (!promised) return false;
    await session.raw(`alter table ${one.table} validate constraint ${one.table}_ids_of_before`);
    const replaced = await givingWay(session, async (trx) => {
      await replace(trx, one, now);
      return true;
    });
    if (!replaced) return false;
  }
  return true;
}

/** Below it are the ids, or numbers, of before. */
function firstOfNewForm({ prefix }: PartitionedTable): string {
  return prefix === undefined ? String(firstNumberAt(new Date(0))) : `'${prefix}'`;
}

async function isPartitioned(db: Knex, table: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { relkind: string }[] }>(
    'select relkind from pg_class where oid = to_regclass(?)',
    [table],
  );
  return rows[0]?.relkind === 'p';
}

interface Definition {
  name: string;
  definition: string;
}

/** Attaching builds no index and checks no reference: the new table has the same ones. */
async function replace(trx: Knex, one: PartitionedTable, now: Date): Promise<void> {
  const { table, key, width } = one;
  const before = nameBefore(table);
  await dropReferencesTo(trx, table);
  const indexes = await indexesOf(trx, table);
  const constraints = await constraintsOf(trx, table);
  if (table === 'audit_entries') await unguardAuditLog(trx);
  await trx.raw(`alter table ${table} rename to ${before}`);
  for (const name of [...indexes.map((index) => index.name), ...(await uniqueNames(trx, before))])
    await trx.raw('alter index ?? rename to ??', [name, `${name}_before`]);
  await trx.raw(`create table ${table} (like ${before} including defaults) partition by range (${key})`);
  for (const { name, definition } of constraints)
    await trx.raw(`alter table ${table} add constraint "${name}" ${definition}`);
  for (const { definition } of indexes) await trx.raw(definition);
  let from = spanStart(width, now);
  await trx.raw(
    `alter table ${table} attach partition ${before} for values from (minvalue) to (${boundAt(one, from)})`,
  );
  await trx.raw(`alter table ${before} drop constraint if exists ${table}_ids_of_before`);
  const start = from;
  for (let spans = 0; spans < SPANS; spans++) {
    await makePartition(trx, one, nameFrom(table, from), { from, to: spanEnd(width, from) });
    from = spanEnd(width, from);
  }
  await makePartition(trx, one, nameLater(table), { from, to: undefined });
  if (one.prefix === undefined) await numberFrom(trx, one, start);
  if (table === 'audit_entries') await guardAuditLog(trx);
  if (table === 'audit_entries') await guardFromTruncate(trx, before);
}

/** With what a partition does not inherit: when it is vacuumed, what is unique in it, and that it is not emptied. */
export async function makePartition(
  trx: Knex,
  one: PartitionedTable,
  name: string,
  { from, to }: { from: Date | undefined; to: Date | undefined },
): Promise<void> {
  const { table, unique } = one;
  const [begin, end] = [from ? boundAt(one, from) : 'minvalue', to ? boundAt(one, to) : 'maxvalue'];
  const like = await storageOf(trx, table);
  await trx.raw(`create table ${name} partition of ${table} for values from (${begin}) to (${end})${like}`);
  if (unique !== undefined) await trx.raw(`create unique index ${name}_${unique} on ${name} (${unique})`);
  if (table === 'audit_entries') await guardFromTruncate(trx, name);
}

/** The sequence lives as long as the table, not as its first partition. */
async function numberFrom(trx: Knex, { table, key }: PartitionedTable, start: Date): Promise<void> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>('select pg_get_serial_sequence(?, ?) as name', [
    nameBefore(table),
    key,
  ]);
  const name = rows[0]?.name;
  await trx.raw(`alter sequence ${name} owned by ${table}.${key}`);
  await trx.raw('select setval(?, ?)', [name ?? '', firstNumberAt(start)]);
}

/** Rows of these tables are inserted, and deleted, together with those that they refer to. */
async function dropReferencesTo(trx: Knex, table: string): Promise<void> {
  const { rows } = await trx.raw<{ rows: { name: string; of: string }[] }>(
    `select conname as name, conrelid::regclass::text as of from pg_constraint where contype = 'f' and confrelid = to_regclass(?) and conparentid = 0`,
    [table],
  );
  for (const { name, of } of rows) await trx.raw(`alter table ${of} drop constraint "${name}"`);
}

/** Without those of constraints, and unique ones: across partitions, only the primary key is unique. */
async function indexesOf(trx: Knex, table: string): Promise<Definition[]> {
  const { rows } = await trx.raw<{ rows: Definition[] }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = to_regclass(?) and not indisunique and indisvalid order by 1`,
    [table],
  );
  return rows;
}

async function uniqueNames(trx: Knex, table: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    'select indexrelid::regclass::text as name from pg_index where indrelid = to_regclass(?) and indisunique',
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The primary key, and the references to tables that stay as they are. */
async function constraintsOf(trx: Knex, table: string): Promise<Definition[]> {
  const { rows } = await trx.raw<{ rows: Definition[] }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = to_regclass(?) and contype in ('p', 'f') order by contype desc, conname`,
    [table],
  );
  return rows;
}

/** When the other partitions are vacuumed: a partition inherits nothing of it. */
async function storageOf(trx: Knex, table: string): Promise<string> {
  const { rows } = await trx.raw<{ rows: { options: string | null }[] }>(
    `select array_to_string(reloptions, ', ') as options from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = to_regclass(?) order by relname limit 1`,
    [table],
  );
  const options = rows[0]?.options;
  return options ? ` with (${options})` : '';
}
