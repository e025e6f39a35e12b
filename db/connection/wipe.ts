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

/** Tables that an erasure changes. */
const TABLES = [
  ...[
    'tenants',
    'documents',
    'document_fingerprints',
    'document_glances',
    'kyc_verifications',
    'eid_flows',
    'eid_attempts',
  ],
  ...[
    'forensic_runs',
    'finding_decisions',
    'events',
    'event_bodies',
    'deliveries',
    'delivery_attempts',
    'applications',
    'participants',
    'invites',
  ],
  ...['onboarding_links', 'payments', 'looks'],
];

/**
 * Removes deleted bytes from the database files, as far as possible beside a running service. SQLite zeroes deleted rows, but copies remain
 * in the write-ahead log and in split or merged pages: VACUUM rewrites the file, and a checkpoint truncates the log. Postgres removes dead
 * rows, and rebuilds the statistics, which contain sample values.
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
    // On Postgres, another process vacuums a table or builds an index on it.
    if (!isSqliteBusy(error) && !isLockedOut(error)) throw error;
    return false;
  }
}

/** @throws SQLITE_BUSY, which the pragma returns as a value */
async function truncateLog(db: Database): Promise<void> {
  const [checkpoint]: { busy: number }[] = await db.raw('pragma wal_checkpoint(truncate)');
  if (checkpoint?.busy !== 0)
    throw Object.assign(new Error('Another connection uses the write-ahead log.'), { code: 'SQLITE_BUSY' });
}

/** A large table takes longer than the service waits for other statements. */
async function vacuumPostgres(session: Database): Promise<true> {
  for (const table of TABLES) await session.raw('vacuum (analyze) ??', [table]);
  return true;
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
