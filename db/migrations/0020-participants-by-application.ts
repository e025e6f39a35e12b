import type { Knex } from 'knex';

/** Whoever forgets an application asks for all who ever took part in it. The other indexes know only those who still do. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('participants', (table) => {
    table.index('application_id');
  });
}
