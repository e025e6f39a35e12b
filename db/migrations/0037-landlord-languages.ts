import type { Knex } from 'knex';

/** The language in which mails of a landlord are written. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('landlord_brands', (table) => {
    table.text('language');
  });
}
