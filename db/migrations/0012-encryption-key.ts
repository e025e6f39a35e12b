import type { Knex } from 'knex';

/**
 * A text sealed with the key that everything is sealed with, so that a process with another key is stopped before it
 * writes anything; and since when the database is there, because what was stored earlier belongs to another.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('encryption_keys', (table) => {
    table.text('id').primary();
    table.text('sealed_check').notNullable();
    table.text('created_at').notNullable();
  });
}
