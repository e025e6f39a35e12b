import type { Knex } from 'knex';
import type { Database } from '../database.ts';

/** How many rows a query finds. */
export async function countRows(query: {
  count(all: { count: '*' }): PromiseLike<{ count?: string | number }[]>;
}): Promise<number> {
  const [row] = await query.count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** Counts the rows of a query up to a limit, which also bounds the cost. */
export function countUpTo(db: Database, query: Knex.QueryBuilder, limit: number): Promise<number> {
  return countRows(db.from(query.clone().select(db.raw('1')).limit(limit).as('some')));
}

/** Counts rows by a column of ids and, if given, one of states. @returns a function that gives the count of an id, in one state or in all */
export async function countGroups(
  query: Knex.QueryBuilder,
  id: string,
  state?: string,
): Promise<(id: unknown, state?: string) => number> {
  const columns = state === undefined ? { id } : { id, state };
  const rows: { id: unknown; state?: string; count: number | string }[] = await query
    .groupBy(Object.values(columns))
    .select(columns)
    .count({ count: '*' });
  const byId = Map.groupBy(rows, (row) => row.id);
  return (wanted, inState) =>
    (byId.get(wanted) ?? [])
      .filter((row) => inState === undefined || row.state === inState)
      .reduce((sum, { count }) => sum + Number(count), 0);
}
