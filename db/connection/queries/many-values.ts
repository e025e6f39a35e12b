import type { Knex } from 'knex';
import { type Database, type Dialect, dialectOf } from '../database.ts';

/** A condition for any number of ids: `whereIn` fails with more than a statement may have parameters, 32,766 on SQLite. */
export function among(db: Database, column: string, ids: readonly string[]) {
  return (rows: Knex.QueryBuilder) =>
    void (dialectOf(db) === 'postgres'
      ? rows.whereRaw('?? = any(?)', [column, [...ids]])
      : rows.whereRaw('?? in (select value from json_each(?))', [column, JSON.stringify(ids)]));
}

/** The end of a condition for the texts of one parameter, a JSON array. */
export const amongGiven: Record<Dialect, string> = {
  postgres: '= any (array(select json_array_elements_text(?::json)))',
  sqlite: 'in (select value from json_each(?))',
};

/** SQL that reads rows from one parameter, a JSON array of objects: one parameter per value takes several times the memory. */
export function rowsOfJson(dialect: Dialect, columns: Record<string, string>): string {
  const isPostgres = dialect === 'postgres';
  const described = Object.entries(columns).map(([name, type]) =>
    isPostgres ? `${name} ${type}` : `value ->> '${name}' as ${name}`,
  );
  return isPostgres
    ? `select * from json_to_recordset(?) as given (${described.join(', ')})`
    : `select ${described.join(', ')} from json_each(?)`;
}
