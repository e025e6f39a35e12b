import type { Knex } from 'knex';
import { dialectOf } from '../database.ts';
import { UnfitRoute } from './route.ts';

/** Other encodings refuse most characters of names and titles, or, as SQL_ASCII, take bytes that are no text. SQLite stores Unicode only. */
const FIT = 'UTF8';

/** Found fit: the encoding of a database never changes. */
const fit = new WeakSet<Knex>();

/** @throws UnfitRoute */
export async function expectUtf8(db: Knex): Promise<void> {
  if (dialectOf(db) !== 'postgres' || fit.has(db)) return;
  const { rows } = await db.raw<{ rows: { server_encoding: string }[] }>('show server_encoding');
  const encoding = rows[0]?.server_encoding ?? FIT;
  if (encoding !== FIT) throw new UnfitRoute(otherEncoding(encoding));
  fit.add(db);
}

const otherEncoding = (encoding: string) =>
  `the database of DATABASE_URL has the encoding ${encoding}, which cannot store every name and title: create another with ` +
  `ENCODING 'UTF8' TEMPLATE template0, and move the data there with pg_dump and pg_restore. Nothing was changed.`;
