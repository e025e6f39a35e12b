import type { Knex } from 'knex';

/** Pieces of files that people are sending: they are bounded per person and API key, and removed when the upload is abandoned. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('upload_pieces', (table) => {
    table.text('id').primary();
    table.text('upload_id').notNullable().index();
    // Without references: the previous version deletes participants and does not know this table.
    table.text('participant_id').notNullable().index();
    table.text('api_key_id').notNullable();
    table.text('sha256');
    table.bigInteger('size_bytes').notNullable();
    table.text('created_at').notNullable().index();
    table.text('finishing_at');
    table.index(['api_key_id', 'size_bytes']);
  });
}
