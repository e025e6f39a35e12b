import type { Knex } from 'knex';

/** Operators recognize and end their sessions. Null for sessions that the previous version opened. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('console_sessions', (table) => {
    table.text('id');
    table.text('browser');
  });
}
