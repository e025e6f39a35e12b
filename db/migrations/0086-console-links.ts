import type { Knex } from 'knex';

/** A mailed link returns an operator to the page that asked for a new sign-in. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('console_links', (table) => {
    table.text('opens');
  });
}
