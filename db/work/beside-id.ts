import type { Knex } from 'knex';

/*
 * Conditions to add to a primary key, which no index serves. With statistics from before a backlog, Postgres assumes that an index of due
 * or open rows is empty, prefers it to the primary key, and reads the whole backlog for one row.
 */

type Condition = (row: Knex.QueryBuilder) => void;

export function hasStatus(...statuses: readonly string[]): Condition {
  return (row) => row.whereRaw(`coalesce(status, '') in (${statuses.map(() => '?').join(', ')})`, statuses);
}

/** It is due, is leased, or will be due. */
export const isUnfinished: Condition = (row) => row.whereRaw("coalesce(due_at, '') <> ''");
