import type { Knex } from 'knex';

/** What documents say about pay is kept beside the result of their analysis; a landlord has a rule for the rent. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table forensic_runs add column sealed_claims text');
  await db.raw('alter table landlord_settings add column rent_rule text');
}
