import type { Database } from '../../db/connection/database.ts';
import { listColumns, listReferences } from '../database/schema.ts';

/** Every row that carries an API key or belongs to one that does, by table. Derived from the schema, so a new table is included. */
export async function rowsOfKey(db: Database, apiKeyId: string): Promise<Record<string, unknown[]>> {
  const [columns, references] = [await listColumns(db), await listReferences(db)];
  const found: Record<string, { id?: string }[]> = {};
  for (const { table } of columns.filter(({ column }) => column === 'api_key_id'))
    found[table] = await db(table).where({ api_key_id: apiKeyId });
  for (let known = -1; known !== Object.keys(found).length; ) {
    known = Object.keys(found).length;
    for (const { table, column, to, nullable } of references)
      if (!found[table] && found[to] && !nullable && table !== to)
        found[table] = await db(table).whereIn(
          column,
          found[to].flatMap(({ id }) => id ?? []),
        );
  }
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  return Object.fromEntries(Object.entries(found).map(([table, rows]) => [table, sorted(rows)]));
}
