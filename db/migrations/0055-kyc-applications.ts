import type { Knex } from 'knex';

/** The application for which a verification was started: its pages name it, whichever application comes later. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table kyc_verifications add column application_id text');
}
