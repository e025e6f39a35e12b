import type { Knex } from 'knex';

/** What makes a report large, in rows of their own: a picture each, and the pieces of its file. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('report_parts', (table) => {
    table.text('id').primary();
    table.text('report_id').notNullable().index().references('reports.id').onDelete('cascade');
    table.text('sealed_part').notNullable();
  });
}
