import type { Knex } from 'knex';

/** The people of a landlord who may use its desk. One address may be a member of several landlords. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('members', (table) => {
    table.text('id').primary();
    table.text('landlord_id').notNullable().references('landlords.id');
    table.text('mail_address').notNullable();
    table.text('comparable_email').notNullable().index();
    table.text('name').notNullable();
    table.text('role').notNullable();
    table.text('language');
    table.text('created_at').notNullable();
    table.text('disabled_at');
    table.text('last_signed_in_at');
    table.unique(['landlord_id', 'comparable_email']);
  });
}
