import type { Knex } from 'knex';

/** Codes by which people go on with their link on a phone work once: those that were used, until they would have expired. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('used_hand_overs', (table) => {
    table.text('code_hash').primary();
    table.text('expires_at').notNullable();
    table.index('expires_at');
  });
}
