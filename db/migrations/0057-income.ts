import type { Knex } from 'knex';

/** What documents say about pay is kept beside the result of their analysis. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table forensic_runs add column sealed_claims text');
  // How many leases expired: work that kills its worker is set aside. A constant default does not rewrite the table.
  await db.raw('alter table forensic_runs add column expiries integer not null default 0');
}
