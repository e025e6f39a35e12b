import type { Value } from '../connections.ts';
import type { Database, Dialect, Transaction } from '../database.ts';
import { prepared } from '../prepared.ts';

/** What decides whether an API key is in force. */
interface KeyLife {
  revoked_at: string | null;
  expires_at: string | null;
}

/** Reads something for an API key together with the key itself. */
export type KeyRead<Found> = (
  on: Database | Transaction,
  apiKeyId: string,
  ...values: Value[]
) => Promise<{ key: KeyLife | undefined; found: Found | undefined }>;

/** A `KeyRead` for a caller. @throws Unauthenticated when the key is not in force */
export type ReadForCaller = <Found>(read: KeyRead<Found>, ...values: Value[]) => Promise<Found | undefined>;

/** An expression for each name; true for the column of this name. */
type Fields = Record<string, string | true>;

/** JSON in SQL. */
interface Json {
  object(fields: Fields): string;
  /** An object of JSON values, which SQLite would take for text. None may be null in SQL. */
  objectOf(values: Record<string, string>): string;
  /** All rows; empty for none. @param order by default, none that is defined: sorting a few rows costs SQLite more than us */
  list(of: string, order?: string): string;
}

/**
 * One statement instead of two, because each costs a fifth of a request's CPU time. Its result is JSON, because reading a JSON value costs a
 * tenth of reading a column.
 * @param select of one JSON value at most, for the row `api_keys` of the caller. Qualify columns: a name that its tables lack would be one of `api_keys`
 */
export function keyRead<Found>(select: (json: Json) => string): KeyRead<Found> {
  const statement = prepared<KeyLife & { found: string | null }>(
    (dialect) =>
      `select revoked_at, expires_at, cast((${select(jsonIn[dialect])}) as text) as found from api_keys where api_keys.id = ?`,
  );
  return async (on, apiKeyId, ...values) => {
    const [key] = await statement(on, ...values, apiKeyId);
    return { key, found: key?.found == null ? undefined : JSON.parse(key.found) };
  };
}

/** Reads in a transaction of a caller whose key was found in force. */
export function readsIn(trx: Transaction, apiKeyId: string): ReadForCaller {
  return async (read, ...values) => (await read(trx, apiKeyId, ...values)).found;
}

const pairs = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression === true ? name : expression}`)
    .join(', ');

const ordered = (of: string, order: string | undefined) => (order === undefined ? of : `${of} order by ${order}`);

export const jsonIn: Record<Dialect, Json> = {
  postgres: {
    object: (fields) => `json_build_object(${pairs(fields)})`,
    objectOf: (values) => `json_build_object(${pairs(values)})`,
    list: (of, order) => `coalesce(json_agg(${ordered(of, order)}), '[]')`,
  },
  sqlite: {
    object: (fields) => `json_object(${pairs(fields)})`,
    // With `json_object`, SQLite would parse each value and write it again.
    objectOf: (values) => {
      const members = Object.entries(values).map(([name, value]) => `'"${name}":' || ${value}`);
      return `'{' || ${members.join(" || ',' || ")} || '}'`;
    },
    list: (of, order) => `json_group_array(${ordered(of, order)})`,
  },
};
