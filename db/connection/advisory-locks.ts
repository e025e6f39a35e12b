import { dialectOf, type Transaction } from './database.ts';

const ADVISORY_LOCKS = { migration: 7_305_411, auditChain: 7_305_412 };

/** Held until the transaction ends. SQLite needs none: its write transactions exclude each other. */
export async function takeAdvisoryLock(trx: Transaction, lock: keyof typeof ADVISORY_LOCKS): Promise<void> {
  if (dialectOf(trx) === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS[lock]]);
}
