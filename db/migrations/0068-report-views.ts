import type { Knex } from 'knex';

/** Who looked at a shared report, and when. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('report_views', (table) => {
    table.text('id').primary();
    table.text('report_id').notNullable();
    table.text('what').notNullable();
    table.text('at').notNullable();
    table.index(['report_id', 'at', 'id']);
  });
}
