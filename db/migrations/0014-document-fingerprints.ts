import type { Knex } from 'knex';

/**
 * Fingerprints that show whether a document was made from the same file, or has the same figures, as another tenant's. The digest
 * of the whole file is a column of the document.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('document_fingerprints', (table) => {
    table.text('document_id').notNullable().references('documents.id').onDelete('CASCADE');
    table.text('kind').notNullable();
    table.text('value').notNullable();
    table.primary(['document_id', 'kind']);
    table.index(['kind', 'value']);
  });
}
