import { newId } from '../../core/ids.ts';
import { withDatabase } from './connect.ts';
import { openConnections } from './connections.ts';
import type { Database, Transaction } from './database.ts';
import { isLockedOut, isSqliteBusy } from './database-errors.ts';
import { retried } from './transactions.ts';

/** An erasure whose bytes are still in the database files. */
export interface OwedWipeRow {
  id: string;
  since: string;
}

/**
 * Removes deleted bytes from the database files, as far as possible beside a running service. SQLite zeroes deleted rows, but copies remain
 * in the write-ahead log and in split or merged pages: VACUUM rewrites the file, and a checkpoint truncates the log. Postgres removes dead
 * rows, and rebuilds the statistics, which contain sample values, of every table.
 * @returns false when another process blocked it for too long
 */
export async function wipeDeleted(db: Database): Promise<boolean> {
  const openPatient = openConnections.get(db)?.openPatient;
  try {
    if (openPatient) return await withDatabase(openPatient(), vacuumPostgres);
    // A transaction of the running service is waited for, as by any other write.
    await retried(db, () => db.raw('vacuum'));
    await retried(db, () => truncateLog(db));
    return true;
  } catch (error) {
    if (!isSqliteBusy(error)) throw error;
    return false;
  }
}

/** @throws SQLITE_BUSY, which the pragma returns as a value */
async function truncateLog(db: Database): Promise<void> {
  const [checkpoint]: { busy: number }[] = await db.raw('pragma wal_checkpoint(truncate)');
  if (checkpoint?.busy !== 0)
    throw Object.assign(new Error('Another connection uses the write-ahead log.'), { code: 'SQLITE_BUSY' });
}

/** Tables of the service, those with partitions as a whole. All of them, so that none is forgotten when an erasure begins to change it. */
const TABLES = `
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
  order by relname`;

/** A large table takes longer than the service waits for other statements. @returns false when a lock kept it from a table */
async function vacuumPostgres(session: Database): Promise<boolean> {
  const { rows }: { rows: { name: string }[] } = await session.raw(TABLES);
  let isComplete = true;
  for (const { name } of rows)
    try {
      await session.raw('vacuum (analyze) ??', [name]);
    } catch (error) {
      // Another process vacuums the table or builds an index on it. The others are wiped nevertheless.
      if (!isLockedOut(error)) throw error;
      isComplete = false;
    }
  return isComplete;
}

/** Records, in an erasure's transaction, that its bytes must still be wiped. */
export async function oweWipe(trx: Transaction, now: Date): Promise<void> {
  await trx('owed_wipes').insert({ id: newId(), since: now.toISOString() });
}

export async function isWipeOwed(db: Database): Promise<boolean> {
  return (await db('owed_wipes').first('id')) !== undefined;
}

export async function settleWipes(db: Database, until: string): Promise<void> {
  await retried(db, () => db('owed_wipes').where('since', '<=', until).delete());
}
