import type { Knex } from 'knex';

/** What people recognize a landlord by on hosted pages and in mails. The logo is small, and in the database it is in every backup. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('landlord_brands', (table) => {
    table.text('landlord_id').primary().references('landlords.id').onDelete('cascade');
    table.text('colour');
    table.binary('logo');
    table.text('logo_digest').index();
    table.integer('logo_width');
    table.integer('logo_height');
  });
}
