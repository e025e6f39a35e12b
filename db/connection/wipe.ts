import { newId } from '../../core/ids.ts';
import { type Database, dialectOf, type Transaction } from './connect.ts';
import { retried } from './transactions.ts';

/** An erasure whose bytes are still in the database files. */
export interface OwedWipeRow {
  id: string;
  since: string;
}

/** Tables that an erasure changes. */
const TABLES = [
  ...['tenants', 'documents', 'document_fingerprints', 'kyc_verifications', 'eid_flows', 'eid_attempts'],
  ...['forensic_runs', 'events', 'deliveries', 'delivery_attempts', 'applications', 'participants', 'invites'],
  ...['onboarding_links', 'payments'],
];

/**
 * Removes deleted bytes from the database files, as far as the database can beside a running service. SQLite zeroes deleted rows, but
 * copies remain in the write-ahead log and in split or merged pages: VACUUM rewrites the file, and a checkpoint truncates the log.
 * Postgres removes dead rows, and rebuilds the statistics, which contain sample values.
 * @returns false when another process blocked it for too long
 */
export async function wipeDeleted(db: Database): Promise<boolean> {
  if (dialectOf(db) === 'postgres') {
    for (const table of TABLES) await db.raw('vacuum (analyze) ??', [table]);
    return true;
  }
  try {
    await db.raw('vacuum');
    const [checkpoint]: { busy: number }[] = await db.raw('pragma wal_checkpoint(truncate)');
    return checkpoint?.busy === 0;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error;
    return false;
  }
}

/** Records, in the transaction of an erasure, that its bytes are still to be wiped. */
export async function oweWipe(trx: Transaction, now: Date): Promise<void> {
  await trx('owed_wipes').insert({ id: newId(), since: now.toISOString() });
}

export async function isWipeOwed(db: Database): Promise<boolean> {
  return (await db('owed_wipes').first('id')) !== undefined;
}

export async function settleWipes(db: Database, until: string): Promise<void> {
  await retried(db, () => db('owed_wipes').where('since', '<=', until).delete());
}
