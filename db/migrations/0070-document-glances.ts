import type { Knex } from 'knex';

/** What a document shows at first sight, for the answer to the person who handed it in, and a small picture of it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('document_glances', (table) => {
    table.text('document_id').notNullable().primary().references('documents.id').onDelete('cascade');
    table.text('sealed_glance').notNullable();
    table.text('sealed_thumbnail');
  });
}
