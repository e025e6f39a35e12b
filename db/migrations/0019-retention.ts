import type { Knex } from 'knex';

/** Retention finds rows by age. Most of these indexes cover only rows that still have something to purge. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create index applications_by_change on applications (updated_at)');
  await db.raw('create index participants_by_removal on participants (removed_at) where removed_at is not null');
  await db.raw('create index tenants_by_age on tenants (created_at)');
  await db.raw('create index documents_by_age on documents (created_at)');
  for (const [table, told] of [
    ['kyc_verifications', 'result is not null or failure is not null'],
    ['forensic_runs', 'result is not null or failure is not null'],
    ['eid_flows', 'finished_at is not null'],
    ['invites', 'finished_at is not null'],
  ] as const)
    await db.raw(`create index ${table}_by_end on ${table} (finished_at) where ${told}`);
  // Retention of accounts reads it, even after the participants are purged.
  await db.schema.alterTable('tenants', (table) => {
    table.text('last_took_part_at');
  });
  // Erasures whose bytes must still be wiped from the database's files.
  await db.schema.createTable('owed_wipes', (table) => {
    table.text('id').primary();
    table.text('since').notNullable();
  });
  await db.raw('create index onboarding_links_by_end on onboarding_links (expires_at)');
}
