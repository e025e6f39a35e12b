import type { Knex } from 'knex';

/** The key with which the service seals reports, unless the operator gives one. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('signing_keys', (table) => {
    table.text('id').primary();
    table.text('sealed_key').notNullable();
    table.text('certificate').notNullable();
    table.text('created_at').notNullable();
  });
}
