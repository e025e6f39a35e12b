import type { Data } from './data.ts';
import { openPostgres } from './data-postgres.ts';
import { openSqlite } from './data-sqlite.ts';

/** Opens the database in `DATABASE_URL`. */
export function openData(): Data {
  const url = process.env['DATABASE_URL'] ?? '';
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}
