import type { Knex } from 'knex';

/** Whether bytes are still needed is asked by their digest, each time documents were stored. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('documents', (table) => {
    table.index('sha256');
  });
}
