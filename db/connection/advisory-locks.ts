import type { Knex } from 'knex';

const ADVISORY_LOCKS = { migration: 7_305_411, auditChain: 7_305_412 };

/** Held until the transaction ends. SQLite needs none: its write transactions exclude each other. */
export async function takeAdvisoryLock(trx: Knex.Transaction, lock: keyof typeof ADVISORY_LOCKS): Promise<void> {
  if (isPostgres(trx)) await trx.raw('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS[lock]]);
}

export function isPostgres(db: Knex): boolean {
  return db.client.config.client === 'pg';
}
