import type { Database } from '../../db/connection/database.ts';
import { dialect } from './dialect.ts';

interface Refused {
  table: string;
  change: 'update' | 'delete';
  column: string;
  values: readonly string[];
}

/** Lets the database refuse to change rows while some work runs: one that breaks a rule or is locked fails in the same way. */
export async function refusingRows<Result>(
  db: Database,
  { table, change, column, values }: Refused,
  work: () => Promise<Result>,
): Promise<Result> {
  const list = values.map((value) => `'${value}'`).join(', ');
  const when = `when (old.${column} in (${list}))`;
  const begin = {
    sqlite: [`create trigger refuse before ${change} on ${table} ${when} begin select raise(abort, 'refused'); end`],
    postgres: [
      `create or replace function refuse() returns trigger as $$ begin raise exception 'refused'; end $$ language plpgsql`,
      `create trigger refuse before ${change} on ${table} for each row ${when} execute function refuse()`,
    ],
  };
  for (const sql of begin[dialect]) await db.raw(sql);
  return work().finally(() => db.raw(`drop trigger refuse${dialect === 'postgres' ? ` on ${table}` : ''}`));
}
