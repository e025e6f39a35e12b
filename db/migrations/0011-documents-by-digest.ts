import type { Knex } from 'knex';

/** Each time documents are stored, a look-up by digest finds out which bytes are still in use. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('documents', (table) => {
    table.index('sha256');
  });
}
