import type { Database } from '../../db/connection/database.ts';
import { dialect } from './dialect.ts';

interface Reference {
  table: string;
  column: string;
  to: string;
  nullable: boolean;
}

/** Partitions have the columns of their table. */
const IS_NO_PARTITION = `not exists (select 1 from pg_class where oid = to_regclass(quote_ident(table_name)) and relispartition)`;

/** Every column of the actual database. */
export async function listColumns(db: Database): Promise<{ table: string; column: string }[]> {
  return dialect === 'sqlite'
    ? db.raw(
        `select tables.name as "table", columns.name as "column"
           from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table'`,
      )
    : (
        await db.raw(
          `select table_name as "table", column_name as "column" from information_schema.columns
             where table_schema = 'public' and ${IS_NO_PARTITION}`,
        )
      ).rows;
}

/** References without a foreign key, which would keep partitions from being dropped: docs/decisions/0051. */
const WITHOUT_KEYS: readonly Reference[] = [
  { table: 'deliveries', column: 'event_id', to: 'events', nullable: false },
  { table: 'delivery_attempts', column: 'delivery_id', to: 'deliveries', nullable: false },
  { table: 'event_bodies', column: 'id', to: 'events', nullable: false },
];

/** Every reference of the actual database. */
export async function listReferences(db: Database): Promise<Reference[]> {
  const keys = await listForeignKeys(db);
  const isKey = ({ table, column }: Reference) => keys.some((key) => key.table === table && key.column === column);
  return [...keys, ...WITHOUT_KEYS.filter((one) => !isKey(one))];
}

async function listForeignKeys(db: Database): Promise<Reference[]> {
  if (dialect === 'sqlite') {
    const found: (Omit<Reference, 'nullable'> & { required: number })[] = await db.raw(
      `select tables.name as "table", keys."from" as "column", keys."table" as "to", columns."notnull" as required
         from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
         join pragma_table_info(tables.name) as columns on columns.name = keys."from" where tables.type = 'table'`,
    );
    return found.map(({ required, ...rest }) => ({ ...rest, nullable: required === 0 }));
  }
  const { rows } = await db.raw(
    `select source.relname as "table", attname as "column", target.relname as "to", not attnotnull as nullable
       from pg_constraint join pg_class as source on source.oid = conrelid join pg_class as target on target.oid = confrelid
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and conparentid = 0 and source.relnamespace = 'public'::regnamespace`,
  );
  return rows;
}

/** Columns, and whether an insert must provide them. */
export async function columnsOfTables(db: Database): Promise<{ table: string; column: string; isRequired: boolean }[]> {
  const found: { table: string; column: string; required: number }[] =
    dialect === 'sqlite'
      ? await db.raw(
          `select tables.name as "table", columns.name as "column", columns."notnull" and columns.dflt_value is null as required
             from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table'`,
        )
      : (
          await db.raw(
            `select table_name as "table", column_name as "column", (is_nullable = 'NO' and column_default is null and is_identity = 'NO')::int as required
               from information_schema.columns where table_schema = 'public' and ${IS_NO_PARTITION}`,
          )
        ).rows;
  return found.map(({ required, ...rest }) => ({ ...rest, isRequired: required === 1 }));
}
