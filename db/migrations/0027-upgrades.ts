import type { Knex } from 'knex';

/** What earlier versions must know of a migration to run on its schema, and the long work that workers do after an upgrade. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('migration_compatibility', (table) => {
    table.text('name').primary();
    table.text('oldest_version').notNullable();
  });
  await db.schema.createTable('background_migrations', (table) => {
    table.text('name').primary();
    table.text('state').notNullable();
    table.text('position');
    table.integer('rows_done').notNullable();
    table.text('leased_by');
    table.text('leased_until');
    table.text('created_at').notNullable();
    table.text('finished_at');
    table.text('failure');
  });
}
