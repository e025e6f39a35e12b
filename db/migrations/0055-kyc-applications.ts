import type { Knex } from 'knex';

/** The application for which a verification was started: its pages name it, whichever application comes later. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table kyc_verifications add column application_id text');
  // How many leases expired: work that kills its worker is set aside. A constant default does not rewrite the table.
  await db.raw('alter table kyc_verifications add column expiries integer not null default 0');
}
