import type { Knex } from 'knex';

/**
 * A text sealed with the encryption key, so that a process with another key stops before it writes anything; and the
 * database's creation time, because bytes stored earlier belong to another database.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('encryption_keys', (table) => {
    table.text('id').primary();
    table.text('sealed_check').notNullable();
    table.text('created_at').notNullable();
  });
}
