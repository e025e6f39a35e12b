import { expect } from 'chai';
import type { Database } from '../../db/connection/connect.ts';
import { dialect } from '../../harness/database/databases.ts';
import { useService } from '../../harness/service/service.ts';

/** Tables about a person as such. What they hold is not for one API key. */
const OF_NO_KEY = ['tenants'];

interface Reference {
  table: string;
  column: string;
  to: string;
  nullable: boolean;
}

describe(`every table that holds tenant data, on ${dialect},`, () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('has an API key: a column of its own, or a row that it belongs to has one', async () => {
    const { db } = test.service.runtime;
    const references = await listReferences(db);
    const columns = await listColumns(db);
    const names = (table: string) => columns.filter((one) => one.table === table).map(({ column }) => column);
    const tables = [...new Set(columns.map(({ table }) => table))];
    const leadsToKey = (table: string): boolean =>
      names(table).includes('api_key_id') ||
      references.some((one) => one.table === table && !one.nullable && one.to !== table && leadsToKey(one.to));
    const isOfTenant = (table: string): boolean =>
      table === 'tenants' ||
      ['tenant_id', 'comparable_email', 'email', 'participant_id'].some((name) => names(table).includes(name)) ||
      references.some((one) => one.table === table && one.to !== table && isOfTenant(one.to));
    const holding = tables.filter((table) => isOfTenant(table));
    expect(holding).to.include.members([
      'documents',
      'document_fingerprints',
      'eid_attempts',
      'deliveries',
      'payments',
    ]);
    expect(holding.filter((table) => !leadsToKey(table))).to.deep.equal(OF_NO_KEY);
    const direct = tables.filter((table) => names(table).includes('tenant_id'));
    expect(direct.filter((table) => !names(table).includes('api_key_id'))).to.deep.equal([]);
  });
});

async function listColumns(db: Database): Promise<{ table: string; column: string }[]> {
  return dialect === 'sqlite'
    ? db.raw(
        `select tables.name as "table", columns.name as "column"
           from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table'`,
      )
    : (
        await db.raw(
          `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`,
        )
      ).rows;
}

async function listReferences(db: Database): Promise<Reference[]> {
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
       where contype = 'f' and source.relnamespace = 'public'::regnamespace`,
  );
  return rows;
}
