import type { Knex } from 'knex';

/** Purging an application reads all of its participants, past ones included. The other indexes cover only active ones. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('participants', (table) => {
    table.index('application_id');
  });
}
