import type { Knex } from 'knex';

/** What the service did on each day and in each month, added up by its processes. Nothing about anybody. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('daily_counts', (table) => {
    table.text('period').notNullable();
    table.text('name').notNullable();
    table.bigInteger('count').notNullable();
    table.primary(['period', 'name']);
  });
}
