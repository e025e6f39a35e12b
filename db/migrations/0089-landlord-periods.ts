import type { Knex } from 'knex';

/** Landlords may keep data for shorter than the operator does; null means as long. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('landlord_settings', (table) => {
    for (const what of ['applications', 'documents', 'verifications', 'analyses']) table.integer(`retain_${what}_days`);
  });
}
