import type { Knex } from 'knex';

/** Bytes of documents that are being stored, and bytes that are still to be removed from the store. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('document_moves', (table) => {
    table.text('id').primary();
    // Without a reference: it has no row in `documents` yet, or no more.
    table.text('sha256').notNullable().index();
    table.text('direction').notNullable();
    table.text('created_at').notNullable();
    table.text('due_at').notNullable().index();
  });
}
